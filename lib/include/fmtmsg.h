// Messages to people, in the form of POSIX.
#ifndef _CYC_FMTMSG_H
#define _CYC_FMTMSG_H

// Where what is reported comes from; where the message goes.
#define MM_HARD 0x001L
#define MM_SOFT 0x002L
#define MM_FIRM 0x004L
#define MM_APPL 0x008L
#define MM_UTIL 0x010L
#define MM_OPSYS 0x020L
#define MM_RECOVER 0x040L
#define MM_NRECOV 0x080L
#define MM_PRINT 0x100L
#define MM_CONSOLE 0x200L

#define MM_NOSEV 0
#define MM_HALT 1
#define MM_ERROR 2
#define MM_WARNING 3
#define MM_INFO 4

#define MM_NOTOK (-1)
#define MM_OK 0
#define MM_NOMSG 1
#define MM_NOCON 4

// Parts that are left out.
#define MM_NULLLBL NULL
#define MM_NULLSEV 0
#define MM_NULLMC 0L
#define MM_NULLTXT NULL
#define MM_NULLACT NULL
#define MM_NULLTAG NULL

// Writes `label: severity: text`, and `TO FIX: action tag` on a second line, to standard error (MM_PRINT) or the console. MM_OK;
// MM_NOTOK if nothing was written or the label is not two parts of at most 10 and 14 bytes with a colon between them.
//
//     assert(fmtmsg(MM_APPL, "example:doc", MM_INFO, "nothing happened", MM_NULLACT, MM_NULLTAG) == MM_OK);
//     assert(fmtmsg(MM_PRINT, "no label", MM_INFO, "nothing happened", MM_NULLACT, MM_NULLTAG) == MM_NOTOK);
extern "C" int fmtmsg(long classes, const char *label, int severity, const char *text, const char *action, const char *tag);

#endif
