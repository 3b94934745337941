// Verilog-2001, in two forms.
//
//   parallel  a gate for each clause and a tree of adders for each output, with registers between its levels: a row in
//             and the votes of an earlier row out, each clock
//   serial    a memory of words and a small machine that reads them, two clocks each; it leaves a clause at its first
//             false literal. For models of any size
//
// The words of the memory, from the highest bits: two bits of kind, then
//   0 clause   most, address of the next clause      2 votes   output, votes
//   1 literal  1 if negated, feature                 3 end
//
// Either has a test bench that reads rows and votes from two files.
#include <algorithm>
#include <bit>
#include <cstdlib>

#include "export/writers.h"
#include "falsum/error.h"
#include "support/format.h"

namespace falsum {
namespace {

constexpr std::size_t kMostParallelLiterals = 20000;

unsigned bits_for(std::uint64_t most) { return std::max(1u, static_cast<unsigned>(std::bit_width(most))); }

/// Bits of a signed number that holds the votes of every output, whatever the row.
unsigned vote_bits(const Lowered& lowered) {
  std::vector<std::uint64_t> most(lowered.outputs);
  for (std::size_t o = 0; o < lowered.outputs; ++o)
    most[o] = static_cast<std::uint64_t>(std::abs(std::int64_t{lowered.base[o]}));
  for (const LoweredClause& clause : lowered.clauses) {
    for (const OutputVotes& some : clause.votes)
      most[some.output] += static_cast<std::uint64_t>(std::abs(std::int64_t{some.votes}) * clause.most);
  }
  return bits_for(*std::ranges::max_element(most)) + 1;
}

/// A signed constant: Verilog has no negative literal of its own.
std::string vote_constant(unsigned width, std::int64_t value) {
  return value < 0 ? fmt::format("-{}'sd{}", width, -value) : fmt::format("{}'sd{}", width, value);
}

std::string hex_of(const std::vector<bool>& bits) {  // the last bit first
  std::string text;
  for (std::size_t digit = (bits.size() + 3) / 4; digit-- > 0;) {
    unsigned value = 0;
    for (std::size_t k = 0; k < 4 && 4 * digit + k < bits.size(); ++k)
      value |= static_cast<unsigned>(bits[4 * digit + k]) << k;
    text += "0123456789abcdef"[value];
  }
  return text;
}

void put_number(std::vector<bool>& bits, std::size_t at, std::size_t width, std::uint64_t value) {
  for (std::size_t k = 0; k < width; ++k) bits[at + k] = (k < 64 ? value >> k : 0) & 1;
}

/// Keywords of Verilog-2001, each followed by a space.
constexpr std::string_view kKeywords =
    "always and assign automatic begin buf bufif0 bufif1 case casex casez cell cmos config deassign default "
    "defparam design disable edge else end endcase endconfig endfunction endgenerate endmodule endprimitive "
    "endspecify endtable endtask event for force forever fork function generate genvar highz0 highz1 if ifnone "
    "incdir include initial inout input instance integer join large liblist library localparam macromodule "
    "medium module nand negedge nmos nor noshowcancelled not notif0 notif1 or output parameter pmos posedge "
    "primitive pull0 pull1 pulldown pullup pulsestyle_ondetect pulsestyle_onevent rcmos real realtime reg "
    "release repeat rnmos rpmos rtran rtranif0 rtranif1 scalared showcancelled signed small specify specparam "
    "strong0 strong1 supply0 supply1 table task time tran tranif0 tranif1 tri tri0 tri1 triand trior trireg "
    "unsigned use vectored wait wand weak0 weak1 while wire wor xnor xor ";

void check_module_name(const std::string& name) {
  if ((" " + std::string(kKeywords)).find(" " + name + " ") == std::string::npos) return;
  throw ConfigError(
      fmt::format("name must not be a keyword of Verilog, got {}: name it otherwise than the file", name));
}

class VerilogWriter {
 public:
  VerilogWriter(const Lowered& lowered, const TestVectors& vectors, const std::string& name)
      : lowered_(lowered), vectors_(vectors), name_(name), width_(vote_bits(lowered)) {}

  std::vector<ExportedFile> parallel() const {
    std::size_t levels = 1;
    std::vector<std::vector<std::string>> terms(lowered_.outputs);
    for (std::size_t o = 0; o < lowered_.outputs; ++o) terms[o].push_back(vote_constant(width_, lowered_.base[o]));
    std::string text =
        head("parallel: a row each clock") +
        fmt::format(
            "module {} (\n  input wire clock, input wire valid, input wire [{}:0] bits,\n"
            "  output wire ready, output wire [{}:0] votes  // {} bits each, signed, output 0 lowest\n);\n",
            name_, lowered_.features - 1, width_ * lowered_.outputs - 1, width_);
    std::string clauses;
    for (std::size_t c = 0; c < lowered_.clauses.size(); ++c) {
      clauses += clause_text(c, text);
      for (const OutputVotes& some : lowered_.clauses[c].votes) {
        const std::string votes = vote_constant(width_, some.votes);
        terms[some.output].push_back(lowered_.fuzzy
                                         ? fmt::format("({}) * $signed({{1'b0, c{}}})", votes, c)
                                         : fmt::format("(c{} ? {} : {})", c, votes, vote_constant(width_, 0)));
      }
    }
    text += fmt::format("  always @(posedge clock) begin\n{}  end\n", clauses);
    for (const std::vector<std::string>& list : terms) {
      std::size_t needed = 1;
      for (std::size_t left = (list.size() + 7) / 8; left > 1; left = (left + 7) / 8) ++needed;
      levels = std::max(levels, needed);
    }
    for (std::size_t o = 0; o < lowered_.outputs; ++o) text += adders(o, terms[o], levels);
    text += fmt::format(
        "  reg [{}:0] on_the_way = 0;\n  always @(posedge clock) on_the_way <= {{on_the_way[{}:0], valid}};\n"
        "  assign ready = on_the_way[{}];\nendmodule\n",
        levels, levels - 1, levels);
    return with_bench(std::move(text), parallel_bench());
  }

  std::vector<ExportedFile> serial() const {
    std::vector<std::vector<bool>> words;
    std::size_t count = 1;
    for (const LoweredClause& clause : lowered_.clauses) count += 1 + clause.literals.size() + clause.votes.size();
    std::uint64_t most = 1;
    for (const LoweredClause& clause : lowered_.clauses) most = std::max(most, static_cast<std::uint64_t>(clause.most));
    const unsigned address = bits_for(count), feature = bits_for(lowered_.features - 1),
                   output = bits_for(lowered_.outputs - 1), counts = bits_for(most);
    const unsigned payload = std::max({counts + address, feature + 1, output + width_}), word = payload + 2;
    const auto add = [&](unsigned kind, std::uint64_t low, unsigned low_bits, std::uint64_t high, unsigned high_bits) {
      std::vector<bool> bits(word);
      put_number(bits, 0, low_bits, low);
      put_number(bits, low_bits, high_bits, high);
      put_number(bits, payload, 2, kind);
      words.push_back(std::move(bits));
    };
    for (const LoweredClause& clause : lowered_.clauses) {
      const std::size_t next = words.size() + 1 + clause.literals.size() + clause.votes.size();
      add(0, next, address, static_cast<std::uint64_t>(clause.most), counts);
      add(1, lowered_.feature_of(clause.first), feature, lowered_.is_negated(clause.first), 1);
      for (const std::uint32_t literal : clause.literals) {
        if (literal != clause.first) add(1, lowered_.feature_of(literal), feature, lowered_.is_negated(literal), 1);
      }
      for (const OutputVotes& some : clause.votes)
        add(2, static_cast<std::uint32_t>(some.votes) | (some.votes < 0 ? ~std::uint64_t{0} << 32 : 0), width_,
            some.output, output);
    }
    add(3, 0, 1, 0, 1);
    std::string rom, base;
    for (const std::vector<bool>& bits : words) rom += hex_of(bits) + "\n";
    for (std::size_t o = lowered_.outputs; o-- > 0;)
      base += fmt::format("{}{}", base.empty() ? "" : ", ", vote_constant(width_, lowered_.base[o]));
    std::string text =
        head("serial: two clocks for each word of its memory") +
        fmt::format(
            "module {0} (\n  input wire clock, input wire start, input wire [{1}:0] bits,\n"
            "  output reg done, output reg [{2}:0] votes  // {3} bits each, signed, output 0 lowest\n);\n"
            "  reg [{4}:0] memory [0:{5}];\n  initial $readmemh(\"{0}_memory.hex\", memory);\n"
            "  reg [{4}:0] word;\n  reg [{6}:0] at, next;\n  reg [{7}:0] left;\n  reg busy = 0, read = 0;\n"
            "  wire [1:0] kind = word[{4}:{8}];\n"
            "  wire holds = bits[word[{9}:0]] != word[{10}];\n"
            "  wire signed [{11}:0] weight = word[{11}:0];\n"
            "  wire signed [{11}:0] sum = votes[word[{12}:{13}] * {13} +: {13}];\n"
            "  wire signed [{11}:0] added = sum + weight * $signed({{1'b0, left}});\n"
            "  initial done = 0;\n"
            "  always @(posedge clock) begin\n"
            "    word <= memory[at];\n"
            "    read <= busy && !read;\n"
            "    if (start) begin\n"
            "      at <= 0; busy <= 1; read <= 0; done <= 0; votes <= {{{14}}};\n"
            "    end else if (busy && read) begin\n"
            "      case (kind)\n"
            "        2'd0: begin next <= word[{15}:0]; left <= word[{16}:{6} + 1]; at <= at + 1'b1; end\n"
            "        2'd1: if (holds) at <= at + 1'b1;\n"
            "              else begin left <= left - 1'b1; at <= left == 1 ? next : at + 1'b1; end\n"
            "        2'd2: begin votes[word[{12}:{13}] * {13} +: {13}] <= added; at <= at + 1'b1; end\n"
            "        2'd3: begin busy <= 0; done <= 1; end\n"
            "      endcase\n    end\n  end\nendmodule\n",
            name_, lowered_.features - 1, width_ * lowered_.outputs - 1, width_, word - 1, words.size() - 1,
            address - 1, counts - 1, payload, feature - 1, feature, width_ - 1, width_ + output - 1, width_, base,
            address - 1, address + counts - 1);
    std::vector<ExportedFile> files = with_bench(std::move(text), serial_bench());
    files.push_back({name_ + "_memory.hex", std::move(rom)});
    return files;
  }

 private:
  std::string head(std::string_view form) const {
    return fmt::format("// A Tsetlin machine, exported by {}: {}; {}.\n", made_by(), summary(lowered_), form);
  }

  /// Declares register c<n> in `text`; returns its assignment.
  std::string clause_text(std::size_t c, std::string& text) const {
    const LoweredClause& clause = lowered_.clauses[c];
    std::string list, misses;
    for (const std::uint32_t literal : clause.literals) {
      const std::string bit = fmt::format("bits[{}]", lowered_.feature_of(literal));
      list += fmt::format("{}{}{}", list.empty() ? "" : ", ", lowered_.is_negated(literal) ? "~" : "", bit);
      misses += fmt::format("{}{{{}'d0, {}{}}}", misses.empty() ? "" : " + ", bits_for(clause.literals.size()),
                            lowered_.is_negated(literal) ? "" : "~", bit);
    }
    if (!lowered_.fuzzy) {
      text += fmt::format("  reg c{};\n", c);
      return fmt::format("    c{} <= &{{{}}};\n", c, list);
    }
    const unsigned width =
        std::max(bits_for(clause.literals.size()) + 1, bits_for(static_cast<std::uint64_t>(clause.most)) + 1);
    text += fmt::format("  reg [{0}:0] c{1};\n  wire [{0}:0] misses{1} = {2};\n", width - 1, c, misses);
    return fmt::format("    c{0} <= misses{0} < {1}'d{2} ? {1}'d{2} - misses{0} : {1}'d0;\n", c, width, clause.most);
  }

  /// Sums of eight, level by level.
  std::string adders(std::size_t o, std::vector<std::string> terms, std::size_t levels) const {
    std::string text, assignments;
    for (std::size_t level = 0; level < levels; ++level) {
      std::vector<std::string> sums;
      for (std::size_t i = 0; i < terms.size(); i += 8) {
        std::string sum;
        for (std::size_t k = i; k < std::min(i + 8, terms.size()); ++k) sum += (k > i ? " + " : "") + terms[k];
        sums.push_back(fmt::format("sum_{}_{}_{}", o, level, i / 8));
        text += fmt::format("  reg signed [{}:0] {};\n", width_ - 1, sums.back());
        assignments += fmt::format("    {} <= {};\n", sums.back(), sum);
      }
      terms = std::move(sums);
    }
    return text + fmt::format("  always @(posedge clock) begin\n{}  end\n  assign votes[{}:{}] = {};\n", assignments,
                              (o + 1) * width_ - 1, o * width_, terms[0]);
  }

  std::string bench(std::string_view ports, std::string_view drive) const {
    return fmt::format(
        "// Compares the votes of {0} with those that falsum gave.\n`timescale 1ns / 1ps\nmodule {0}_bench;\n"
        "  reg clock = 0, go = 0;\n  reg [{1}:0] rows [0:{2}];\n  reg [{3}:0] wanted [0:{2}];\n  reg [{1}:0] bits = "
        "0;\n"
        "  wire out;\n  wire [{3}:0] votes;\n  integer sent = 0, seen = 0, differ = 0, o, clocks = 0;\n"
        "  {0} machine (.clock(clock), .bits(bits), .votes(votes), {4});\n"
        "  always #5 clock = ~clock;\n  always @(posedge clock) clocks = clocks + 1;\n"
        "  task compare;\n    begin\n      for (o = 0; o < {5}; o = o + 1)\n"
        "        if (votes[o * {6} +: {6}] !== wanted[seen][o * {6} +: {6}]) differ = differ + 1;\n"
        "      seen = seen + 1;\n      if (seen == {7}) begin\n"
        "        $display(\"%0d of %0d votes differ, %0d clocks\", differ, seen * {5}, clocks);\n        $finish;\n    "
        "  end\n    end\n  endtask\n"
        "  initial begin\n    $readmemh(\"{0}_rows.hex\", rows);\n    $readmemh(\"{0}_votes.hex\", wanted);\n  "
        "end\n{8}endmodule\n",
        name_, lowered_.features - 1, vectors_.rows.rows() - 1, width_ * lowered_.outputs - 1, ports, lowered_.outputs,
        width_, vectors_.rows.rows(), drive);
  }
  std::string parallel_bench() const {
    return bench(".valid(go), .ready(out)",
                 fmt::format("  always @(negedge clock) begin\n    if (out) compare;\n    go = sent < {0};\n"
                             "    if (sent < {0}) begin bits = rows[sent]; sent = sent + 1; end\n  end\n",
                             vectors_.rows.rows()));
  }
  std::string serial_bench() const {
    return bench(
        ".start(go), .done(out)",
        fmt::format(
            "  always @(negedge clock) begin\n    if (go) go = 0;\n    else if (sent == seen && sent < {0}) begin\n"
            "      bits = rows[sent]; sent = sent + 1; go = 1;\n    end else if (out) compare;\n  end\n",
            vectors_.rows.rows()));
  }

  std::vector<ExportedFile> with_bench(std::string text, std::string bench_text) const {
    std::string rows, votes;
    for (std::size_t r = 0; r < vectors_.rows.rows(); ++r) {
      std::vector<bool> bits(lowered_.features), expected(width_ * lowered_.outputs);
      for (std::size_t k = 0; k < lowered_.features; ++k) bits[k] = vectors_.rows.get(r, k);
      for (std::size_t o = 0; o < lowered_.outputs; ++o)
        put_number(expected, o * width_, width_, static_cast<std::uint64_t>(std::int64_t{vectors_.votes_of(r)[o]}));
      rows += hex_of(bits) + "\n";
      votes += hex_of(expected) + "\n";
    }
    return {{name_ + ".v", std::move(text)},
            {name_ + "_bench.v", std::move(bench_text)},
            {name_ + "_rows.hex", std::move(rows)},
            {name_ + "_votes.hex", std::move(votes)}};
  }

  const Lowered& lowered_;
  const TestVectors& vectors_;
  const std::string& name_;
  unsigned width_;
};

}  // namespace

std::vector<ExportedFile> write_verilog(const Lowered& lowered, const TestVectors& vectors,
                                        const ExportOptions& options) {
  if (lowered.patches)
    refuse_export("a model of patches", ExportFormat::kVerilog,
                  "its clauses look at many places of an image; use c, js or onnx");
  check_module_name(options.name);
  const VerilogWriter writer(lowered, vectors, options.name);
  const bool fits = lowered.included() <= kMostParallelLiterals;
  if (options.form == ExportForm::kParallel && !fits) {
    refuse_export(fmt::format("a model of {} literals", lowered.included()), ExportFormat::kVerilog,
                  fmt::format("parallel has at most {}; use --form serial", kMostParallelLiterals));
  }
  return options.form == ExportForm::kParallel || (options.form == ExportForm::kAuto && fits) ? writer.parallel()
                                                                                              : writer.serial();
}

}  // namespace falsum
