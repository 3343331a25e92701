// Customs of countries.
#ifndef _CYC_LOCALE_H
#define _CYC_LOCALE_H

#define LC_CTYPE 0
#define LC_NUMERIC 1
#define LC_TIME 2
#define LC_COLLATE 3
#define LC_MONETARY 4
#define LC_MESSAGES 5
#define LC_ALL 6

struct lconv {
  char *decimal_point;
  char *thousands_sep;
  char *grouping;
  char *int_curr_symbol;
  char *currency_symbol;
  char *mon_decimal_point;
  char *mon_thousands_sep;
  char *mon_grouping;
  char *positive_sign;
  char *negative_sign;
  char int_frac_digits;
  char frac_digits;
};

extern "C" {
  // Chooses the customs of a category, or asks for them if the name is null: a fresh string; null if there are none of this name.
  //
  //     assert(setlocale(LC_ALL, "C") != NULL && setlocale(LC_ALL, "no such place") == NULL);
  char *setlocale(int category, const char *name) __attribute__((single_threaded)) asm("cyc_lib_setlocale");
  // How numbers and money are written, in a fresh record.
  //
  //     assert(strcmp(localeconv()->decimal_point, ".") == 0);
  struct lconv @localeconv(void) __attribute__((single_threaded)) asm("cyc_lib_localeconv");
}

#endif
