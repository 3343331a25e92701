// The arguments of the command line, given as a list of what each flag does.
//
//     using Arg;
//     static void file(string_t<`H> name) { assert(strcmp(name, "input") == 0); }
//     static bool unknown(string_t<`H> flag) { return false; }
#ifndef _CYC_ARG_H
#define _CYC_ARG_H

#include <core.h>
#include <list.h>

namespace Arg {

// Internal; an action rejects its argument, for this reason.
@extensible datatype exn { extern Error; extern Bad(string_t) };

// Actions: a call; a call with the flag itself; with the flag and the next argument; a variable set, cleared; a call with the
// next argument, with the integer that it is, with each of all arguments that follow.
datatype Spec {
  Unit_spec(void (@`H f)());
  Flag_spec(void (@`H f)(string_t<`H>));
  FlagString_spec(void (@`H f)(string_t<`H>, string_t<`H>));
  Set_spec(bool @`H);
  Clear_spec(bool @`H);
  String_spec(void (@`H f)(string_t<`H>));
  Int_spec(void (@`H f)(int));
  Rest_spec(void (@`H f)(string_t<`H>))
};
typedef datatype Spec @`r spec_t<`r::E>;
// The flag; whether arguments that only begin with it count; its argument, in words; its action; its description.
typedef List::list_t<$(string_t<`H>, bool, string_t<`H>, spec_t<`r1>, string_t<`H>) @`r1, `r2> speclist_t<`r1::E, `r2::E>;

// The index of the argument that is being looked at; 0, the program's name, at first.
extern int current;

// Prints errmsg and the flags with their descriptions on standard error.
//
//     bool @`H verbose = new false;
//     spec_t<`H> set = new Set_spec(verbose);
//     usage(List::list(new $((string_t<`H>)"-v", false, (string_t<`H>)"", set, (string_t<`H>)"say more")), "usage: prog [-v] file");
void usage(speclist_t<`r1, `r2> specs, string_t errmsg);
// Handles the arguments behind `current`. Flags, which begin with `-`, do what their entry says, the first that fits; without
// one anonflagfun is asked, and false means that there is no such flag. Other arguments go to anonfun. A null one at the end
// is ignored. After a mistake, and after -help, what is wrong and the usage are printed, and the rest is skipped.
//
//     bool @`H verbose = new false;
//     spec_t<`H> set = new Set_spec(verbose);
//     let specs = List::list(new $((string_t<`H>)"-v", false, (string_t<`H>)"", set, (string_t<`H>)"say more"));
//     string_t<`H> ?`H args = new {(string_t<`H>)"prog", "-v", "input"};
//     current = 0;
//     parse(specs, file, unknown, "usage: prog [-v] file", args);
//     assert(*verbose);
void parse(speclist_t<`r1, `r2> specs, void anonfun(string_t<`H>), bool anonflagfun(string_t<`H>), string_t errmsg,
           string_t<`H> ?`H args);

}
#endif
