// The table of a kernel set, included last inside its anonymous namespace.

constexpr Kernels table(const char* name) {
  return {.name = name,
          .dense_pass = dense_pass,
          .forget = forget,
          .select = select,
          .draw = draw,
          .unflagged = unflagged,
          .gather_bits = gather_bits,
          .strengthen = strengthen,
          .conjunction = conjunction,
          .count = count,
          .sliced_votes = sliced_votes,
          .sliced_outputs = sliced_outputs,
          .sliced_sum = sliced_sum,
          .sliced_difference = sliced_difference,
          .sliced_most = sliced_most,
          .transpose = transpose,
          .slice = slice,
          .any_window = any_window,
          .tally = tally,
          .bitwise_or = bitwise_or,
          .pack = pack};
}
