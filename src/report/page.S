// The parts of the report's page inside the program; CMake says where they are.
#if defined(__APPLE__)
#define NAME(name) _##name
    .section __TEXT,__const
#elif defined(_WIN32)
#define NAME(name) name
    .section .rdata, "dr"
#else
#define NAME(name) name
    .section .rodata, "a"
#endif
#if defined(__ELF__)
#define HIDDEN(name) .hidden name
#else
#define HIDDEN(name)
#endif
#define EMBED(name, file)                      \
    .global NAME(falsum_##name##_begin);       \
    .global NAME(falsum_##name##_end);         \
    HIDDEN(falsum_##name##_begin);             \
    HIDDEN(falsum_##name##_end);               \
    NAME(falsum_##name##_begin): .incbin file; \
    NAME(falsum_##name##_end): .byte 0
EMBED(report_body, FALSUM_REPORT_BODY)
EMBED(report_style, FALSUM_REPORT_STYLE)
#define SCRIPTS                                                                                      \
    FALSUM_REPORT_PREDICTOR; .incbin FALSUM_REPORT_ELEMENTS; .incbin FALSUM_REPORT_CHARTS;           \
    .incbin FALSUM_REPORT_PAGE; .incbin FALSUM_REPORT_ROWS
EMBED(report_script, SCRIPTS)
#if defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif
