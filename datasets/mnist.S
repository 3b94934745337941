// The bytes of mnist.bits.zst inside the program; CMake says where the file is. LICENSE-MNIST: CC BY-SA 3.0.
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
    .global NAME(falsum_mnist_begin)
    .global NAME(falsum_mnist_size)
#if defined(__ELF__)
    .hidden falsum_mnist_begin
    .hidden falsum_mnist_size
#endif
    .balign 16
NAME(falsum_mnist_begin):
    .incbin FALSUM_MNIST_FILE
mnist_end:
    .balign 8
NAME(falsum_mnist_size):
    .quad mnist_end - NAME(falsum_mnist_begin)
#if defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif
