// Whether the address sanitizer watches: g++ and clang say so in different ways.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define FALSUM_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FALSUM_ADDRESS_SANITIZER 1
#endif
#endif
