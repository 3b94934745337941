/* Start of a bare Cortex-M, for qemu: memory, newlib's semihosting, main. */
#include <stdint.h>
#include <stdlib.h>

extern uint32_t data_start, data_end, data_load, __bss_start__, __bss_end__, stack_top;
extern void initialise_monitor_handles(void);
int main(void);
void reset(void);

void reset(void) {
  uint32_t *from = &data_load, *to;
  for (to = &data_start; to < &data_end;) *to++ = *from++;
  for (to = &__bss_start__; to < &__bss_end__;) *to++ = 0;
  initialise_monitor_handles();
  exit(main());
}

void _init(void);
void _fini(void);
void _init(void) {}
void _fini(void) {}

__attribute__((section(".vectors"), used)) static void* const vectors[] = {&stack_top, (void*)(uintptr_t)reset};
