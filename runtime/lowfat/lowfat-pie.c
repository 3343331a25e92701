/* lowfat-pie - makes the kernel load a position-independent executable at a multiple of 32 GiB, as its low-fat globals
 * (lowfat-globals.ld) need: sets the alignment of its first loadable segment.  The price is address randomisation of the
 * executable: about 2^10 places remain.
 *
 *     lowfat-pie PROGRAM        exits 0, or says what is wrong with 1 and leaves the file alone */
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#define REGION ((Elf64_Xword)1 << 35)

static int fail(const char *program, const char *reason) {
    fprintf(stderr, "lowfat-pie: %s: %s\n", program, reason);
    return 1;
}

static int patch(FILE *file, const char *name) {
    Elf64_Ehdr header;
    if (fread(&header, sizeof header, 1, file) != 1 || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof(Elf64_Phdr))
        return fail(name, "not a 64-bit ELF file");
    if (header.e_type != ET_DYN)
        return fail(name, "not position-independent: nothing to do for it");
    for (unsigned i = 0; i < header.e_phnum; i++) {
        Elf64_Phdr segment;
        long at = (long)(header.e_phoff + i * sizeof segment);
        if (fseek(file, at, SEEK_SET) != 0 || fread(&segment, sizeof segment, 1, file) != 1)
            return fail(name, "damaged program headers");
        if (segment.p_type != PT_LOAD)
            continue;
        if (segment.p_vaddr % REGION != segment.p_offset % REGION)
            return fail(name, "its first segment cannot be aligned");
        segment.p_align = REGION;
        if (fseek(file, at, SEEK_SET) != 0 || fwrite(&segment, sizeof segment, 1, file) != 1 || fflush(file) != 0)
            return fail(name, strerror(errno));
        return 0;
    }
    return fail(name, "no loadable segment");
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: lowfat-pie PROGRAM\n");
        return 1;
    }
    FILE *file = fopen(argv[1], "r+b");
    if (file == NULL)
        return fail(argv[1], strerror(errno));
    int result = patch(file, argv[1]);
    fclose(file);
    return result;
}
