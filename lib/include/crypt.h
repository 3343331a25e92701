// Passwords, hashed as /etc/shadow has them.
#ifndef _CYC_CRYPT_H
#define _CYC_CRYPT_H

// A fresh string: the hash of a password, by the method and with the salt that stand before it; `salt` may be a whole hash. Null
// with errno EINVAL if there is no such method, with ENOSYS if the system has no libcrypt, which is loaded by the first call.
//
//     char *hash = crypt("secret", "$6$saltsalt$");
//     char *again = crypt("secret", hash == NULL ? "" : (const char @)hash);
//     assert(hash != NULL && again != NULL && strcmp(hash, again) == 0 && strncmp(hash, "$6$saltsalt$", 12) == 0);
extern "C" char *crypt(const char @key, const char @salt) __attribute__((single_threaded)) asm("cyc_lib_crypt");

#endif
