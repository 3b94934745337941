// ONNX, opset 19. Clauses become a matrix of -1, 0 and 1: a clause's false literals are its positive literals, plus its
// row of the matrix times the features. Everything is counted in whole numbers:
//
//   raw values ─ Gather, GreaterOrEqual, Equal, IsNaN ─> bits ─ MatMulInteger, Add ─> misses ─ Equal or Max ─ MatMul ─>
//   votes
//
// Protocol buffers are written here by hand: a field is a varint (number << 3 | kind) and a value.
#include <algorithm>

#include "export/json_text.h"
#include "export/writers.h"
#include "support/bytes.h"
#include "support/format.h"

namespace falsum {
namespace {

constexpr std::uint64_t kMostFileBytes = std::uint64_t{1} << 30;  // protocol buffers end at 2 GB
enum ElementType : std::uint8_t { kUint8 = 2, kInt8 = 3, kInt32 = 6, kInt64 = 7, kString = 8, kBool = 9, kDouble = 11 };

class Message {
 public:
  Message& number(std::uint32_t field, std::uint64_t value) {
    writer_.varint(field << 3);
    writer_.varint(value);
    return *this;
  }
  Message& text(std::uint32_t field, std::string_view value) {
    writer_.varint(field << 3 | 2);
    writer_.text(value);
    return *this;
  }
  Message& message(std::uint32_t field, const Message& value) { return text(field, value.bytes()); }
  const std::string& bytes() const { return writer_.bytes(); }

 private:
  ByteWriter writer_;
};

/// The graph while it is built. Values have names.
class Graph {
 public:
  using Names = std::vector<std::string>;

  template <class T>
  std::string constant(ElementType type, const std::vector<std::size_t>& shape, const std::vector<T>& values) {
    Message tensor = begin(type, shape);
    tensor.text(9, {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
    return keep(tensor);
  }
  std::string indices(const std::vector<std::size_t>& shape, const std::vector<std::int64_t>& values) {
    return constant(kInt64, shape, values);
  }
  std::string texts(const std::vector<std::string>& values) {
    Message tensor = begin(kString, {values.size()});
    for (const std::string& value : values) tensor.text(6, value);
    return keep(tensor);
  }

  /// A node; the name of its result.
  std::string node(std::string_view op, const Names& inputs,
                   const std::vector<std::pair<std::string, std::int64_t>>& attributes = {}, std::string result = "") {
    Message message;
    if (result.empty()) result = fmt::format("{}_{}", op, ++count_);
    for (const std::string& input : inputs) message.text(1, input);
    message.text(2, result).text(3, "node_" + result).text(4, op);
    for (const auto& [name, value] : attributes)
      message.message(5, Message().text(1, name).number(3, static_cast<std::uint64_t>(value)).number(20, 2));
    graph_.message(1, message);
    return result;
  }
  void input(const std::string& name, ElementType type, std::size_t columns) { value(11, name, type, columns); }
  /// columns 0: one value for each row.
  void output(const std::string& name, ElementType type, std::size_t columns) { value(12, name, type, columns); }

  const Message& finish(const std::string& name) { return graph_.text(2, name); }
  std::size_t bytes() const { return graph_.bytes().size(); }

 private:
  static Message begin(ElementType type, const std::vector<std::size_t>& shape) {
    Message tensor;
    for (const std::size_t size : shape) tensor.number(1, size);
    return tensor.number(2, type);
  }
  std::string keep(Message& tensor) {
    const std::string name = fmt::format("constant_{}", ++count_);
    graph_.message(5, tensor.text(8, name));
    return name;
  }
  void value(std::uint32_t field, const std::string& name, ElementType type, std::size_t columns) {
    Message shape;
    shape.message(1, Message().text(2, "rows"));
    if (columns > 0) shape.message(1, Message().number(1, columns));
    const Message tensor = Message().number(1, type).message(2, shape);
    graph_.message(field, Message().text(1, name).message(2, Message().message(1, tensor)));
  }

  Message graph_;
  std::size_t count_ = 0;
};

/// Raw columns to bits: groups of comparisons, then all features in their order.
class ColumnBits {
 public:
  std::string write(const Booleanizer::ByColumn& table, Graph& graph) {
    for (const Booleanizer::ColumnMapping& column : table.columns) add(column);
    if (numbers_ > 0) graph.input("numbers", kDouble, numbers_);
    if (texts_ > 0) graph.input("categories", kString, texts_);
    Graph::Names parts;
    std::vector<std::int64_t> order(features_);
    std::int64_t place = 0;
    const auto join = [&](const Group& group, const std::string& input, std::string_view op,
                          const std::string& second) {
      Graph::Names inputs = {
          graph.node("Gather", {input, graph.indices({group.columns.size()}, group.columns)}, {{"axis", 1}})};
      if (!second.empty()) inputs.push_back(second);
      parts.push_back(graph.node(op, inputs));
      for (const std::size_t feature : group.features) order[feature] = place++;
    };
    if (!above_.features.empty())
      join(above_, "numbers", "GreaterOrEqual", graph.constant(kDouble, {thresholds_.size()}, thresholds_));
    if (!lost_.features.empty()) join(lost_, "numbers", "IsNaN", "");
    if (!equal_.features.empty()) join(equal_, "categories", "Equal", graph.texts(categories_));
    const std::string all = graph.node("Cast", {graph.node("Concat", parts, {{"axis", 1}})}, {{"to", kUint8}});
    return graph.node("Gather", {all, graph.indices({order.size()}, order)}, {{"axis", 1}});
  }

 private:
  struct Group {
    std::vector<std::int64_t> columns;
    std::vector<std::size_t> features;
    void add(std::size_t column, std::size_t feature) {
      columns.push_back(static_cast<std::int64_t>(column));
      features.push_back(feature);
    }
  };
  void add(const Booleanizer::ColumnMapping& column) {
    const std::size_t at = column.categorical ? texts_++ : numbers_++;
    std::vector<double> thresholds = column.thresholds;
    if (column.boolean) thresholds = {1};
    for (const double threshold : thresholds) {
      above_.add(at, features_++);
      thresholds_.push_back(threshold);
    }
    for (const std::string& category : column.categories) {
      equal_.add(at, features_++);
      categories_.push_back(category);
    }
    if (!column.missing) return;
    if (column.categorical) {
      equal_.add(at, features_++);
      categories_.emplace_back();  // a missing category is an empty text
    } else {
      lost_.add(at, features_++);
    }
  }

  Group above_, lost_, equal_;
  std::vector<double> thresholds_;
  std::vector<std::string> categories_;
  std::size_t numbers_ = 0, texts_ = 0, features_ = 0;
};

std::string bits_in_graph(const Model& model, Graph& graph) {
  if (const auto* table = std::get_if<Booleanizer::ByColumn>(&model.booleanizer().mapping()))
    return ColumnBits().write(*table, graph);
  if (const auto* levels = std::get_if<Booleanizer::Levels>(&model.booleanizer().mapping())) {
    graph.input("pixels", kUint8, levels->pixels);
    const std::string pixels = graph.node("Cast", {"pixels"}, {{"to", kInt32}});
    Graph::Names parts;
    for (const std::uint8_t threshold : levels->thresholds)
      parts.push_back(
          graph.node("Greater", {pixels, graph.constant(kInt32, {}, std::vector<std::int32_t>{threshold})}));
    return graph.node("Cast", {graph.node("Concat", parts, {{"axis", 1}})}, {{"to", kUint8}});
  }
  graph.input("bits", kUint8, model.features());
  return "bits";
}

/// The features that clauses use, [rows, used], or of each patch, [rows, patches, used].
std::string seen_features(const Lowered& lowered, const std::vector<std::uint32_t>& used, std::string bits,
                          Graph& graph) {
  std::vector<std::int64_t> places;
  if (!lowered.patches) {
    places.assign(used.begin(), used.end());
    return graph.node("Gather", {bits, graph.indices({places.size()}, places)}, {{"axis", 1}});
  }
  const PatchShape& shape = *lowered.patches;
  const auto off = static_cast<std::int64_t>(lowered.features), on = off + 1;  // two columns more: always 0, always 1
  const std::string one_more = graph.indices({4}, {0, 0, 0, 1});
  for (const std::uint8_t value : {std::uint8_t{0}, std::uint8_t{1}})
    bits = graph.node("Pad", {bits, one_more, graph.constant(kUint8, {}, std::vector<std::uint8_t>{value})});
  const std::size_t run = shape.columns * shape.channels;
  for (std::size_t patch = 0; patch < shape.patches(); ++patch) {
    const std::size_t row = patch / shape.across(), column = patch % shape.across();
    for (const std::uint32_t feature : used) {
      if (feature < shape.down() - 1) {
        places.push_back(row > feature ? on : off);
      } else if (feature < shape.position_features()) {
        places.push_back(column > feature - (shape.down() - 1) ? on : off);
      } else {
        const std::size_t bit = feature - shape.position_features();
        const std::size_t pixel =
            (row * shape.row_stride + bit / run) * shape.image_columns + column * shape.column_stride;
        places.push_back(static_cast<std::int64_t>(pixel * shape.channels + bit % run));
      }
    }
  }
  return graph.node("Gather", {bits, graph.indices({shape.patches(), used.size()}, places)}, {{"axis", 1}});
}

/// What each clause counts for, [rows, clauses].
std::string counts_in_graph(const Lowered& lowered, const std::vector<std::uint32_t>& used, const std::string& seen,
                            Graph& graph) {
  const std::size_t clauses = lowered.clauses.size();
  std::vector<std::int8_t> matrix(used.size() * clauses);
  std::vector<std::int32_t> positive(clauses), most(clauses);
  for (std::size_t c = 0; c < clauses; ++c) {
    most[c] = lowered.clauses[c].most;
    for (const std::uint32_t literal : lowered.clauses[c].literals) {
      const auto row =
          static_cast<std::size_t>(std::ranges::lower_bound(used, lowered.feature_of(literal)) - used.begin());
      std::int8_t& cell = matrix[row * clauses + c];
      cell = static_cast<std::int8_t>(cell + (lowered.is_negated(literal) ? 1 : -1));
      if (!lowered.is_negated(literal)) ++positive[c];
    }
  }
  const std::string zero = graph.constant(kInt32, {}, std::vector<std::int32_t>{0});
  const std::string sums = graph.node("MatMulInteger", {seen, graph.constant(kInt8, {used.size(), clauses}, matrix)});
  const std::string misses = graph.node("Add", {sums, graph.constant(kInt32, {clauses}, positive)});
  if (lowered.fuzzy)
    return graph.node("Max", {graph.node("Sub", {graph.constant(kInt32, {clauses}, most), misses}), zero});
  const std::string held = graph.node("Cast", {graph.node("Equal", {misses, zero})}, {{"to", kInt32}});
  return lowered.patches ? graph.node("ReduceMax", {held, graph.indices({1}, {1})}, {{"keepdims", 0}}) : held;
}

void answers_in_graph(const Lowered& lowered, Graph& graph) {
  const Model& model = lowered.model;
  const auto whole = [&](std::int64_t value) {
    return graph.constant(kInt32, {}, std::vector<std::int32_t>{static_cast<std::int32_t>(value)});
  };
  const auto real = [&](double value) { return graph.constant(kDouble, {}, std::vector<double>{value}); };
  graph.output("votes", kInt32, lowered.outputs);
  if (model.task() == Task::kClassification) {
    graph.node("ArgMax", {"votes"}, {{"axis", 1}, {"keepdims", 0}}, "class");
    graph.output("class", kInt64, 0);
  } else if (model.task() == Task::kMultilabel) {
    graph.node("Greater", {"votes", whole(0)}, {}, "labels");
    graph.output("labels", kBool, lowered.outputs);
  } else {
    const std::string within = graph.node("Min", {graph.node("Max", {"votes", whole(0)}), whole(lowered.target)});
    const std::string share = graph.node(
        "Mul", {graph.node("Cast", {within}, {{"to", kDouble}}), real(model.range().most - model.range().least)});
    graph.node("Add",
               {graph.node("Div", {share, real(static_cast<double>(lowered.target))}), real(model.range().least)}, {},
               "number");
    graph.output("number", kDouble, 1);
  }
}

}  // namespace

std::vector<ExportedFile> write_onnx(const Lowered& model, const TestVectors& vectors, const ExportOptions& options) {
  Lowered lowered = model;
  if (lowered.clauses.empty()) {  // a matrix has at least one column: a clause that is never true
    lowered.clauses.emplace_back();
    lowered.clauses[0].literals = {0, static_cast<std::uint32_t>(lowered.clause_features)};
  }
  const std::vector<std::uint32_t> used = lowered.used_features();
  const std::uint64_t size = lowered.clauses.size() * (used.size() + 4 * lowered.outputs);
  if (size > kMostFileBytes) {
    refuse_export(fmt::format("a model of {} clauses, {} features in use and {} outputs", lowered.clauses.size(),
                              used.size(), lowered.outputs),
                  ExportFormat::kOnnx,
                  fmt::format("its matrices would take {} MB, and 1024 MB are allowed", size >> 20));
  }
  Graph graph;
  const std::string seen = seen_features(lowered, used, bits_in_graph(lowered.model, graph), graph);
  const std::string counts = counts_in_graph(lowered, used, seen, graph);
  std::vector<std::int32_t> weights(lowered.clauses.size() * lowered.outputs);
  for (std::size_t c = 0; c < lowered.clauses.size(); ++c) {
    for (const OutputVotes& some : lowered.clauses[c].votes) weights[c * lowered.outputs + some.output] = some.votes;
  }
  const std::string sums =
      graph.node("MatMul", {counts, graph.constant(kInt32, {lowered.clauses.size(), lowered.outputs}, weights)});
  graph.node("Add", {sums, graph.constant(kInt32, {lowered.outputs}, lowered.base)}, {}, "votes");
  answers_in_graph(lowered, graph);

  Message file;
  file.number(1, 9).text(2, "falsum").text(3, made_by()).message(7, graph.finish(options.name));
  file.message(8, Message().text(1, "").number(2, 19));
  const auto note = [&](std::string_view key, const std::string& value) {
    file.message(14, Message().text(1, key).text(2, value));
  };
  note("task", std::string(name_of(lowered.model.task())));
  note("labels", json_line(lowered.model.labels()));
  note("booleanizer", json_line(booleanizer_json(lowered.model.booleanizer())));
  note("test_vectors", json_line(vectors_json(vectors)));
  return {{options.name + ".onnx", file.bytes()}};
}

}  // namespace falsum
