// sum_slots for the sets without vectors of AVX.

void sum_slots(const std::uint8_t* values, std::size_t step, std::size_t count, std::uint16_t* sums) {
  std::uint16_t all[16] = {};
  for (std::size_t s = 0; s < count; ++s, values += step) {
    for (std::size_t i = 0; i < 16; ++i) all[i] = static_cast<std::uint16_t>(all[i] + values[i]);
  }
  for (std::size_t i = 0; i < 16; ++i) sums[i] = all[i];
}
