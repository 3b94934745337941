/* Prints the result of the test on the serial port of an AVR; simavr shows it. Then sleeps for good, which ends simavr.
 */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <stdint.h>

uint32_t model_test(uint32_t* all);

static void put(char c) {
  while (!(UCSR0A & (1 << UDRE0))) {
  }
  UDR0 = (uint8_t)c;
}

static void put_number(uint32_t value) {
  if (value > 9) put_number(value / 10);
  put((char)('0' + value % 10));
}

int main(void) {
  uint32_t all, differ;
  const char* text;
  UCSR0B = 1 << TXEN0;
  differ = model_test(&all);
  put_number(differ);
  for (text = " of "; *text; ++text) put(*text);
  put_number(all);
  for (text = " votes differ\n"; *text; ++text) put(*text);
  cli();
  sleep_mode();
  return 0;
}
