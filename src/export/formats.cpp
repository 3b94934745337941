#include <cctype>

#include "export/writers.h"
#include "falsum/cpu.h"
#include "falsum/error.h"
#include "support/format.h"

namespace falsum {
namespace {

void check_name(const std::string& name) {
  if (export_name(name) == name) return;
  throw ConfigError(
      fmt::format("name must be letters, digits and _, with a letter first and at most 64 of them, got \"{}\"", name));
}

void check_form(ExportFormat format, ExportForm form) {
  const bool circuit = form == ExportForm::kParallel || form == ExportForm::kSerial;
  const bool query = form == ExportForm::kInline || form == ExportForm::kRelational;
  if ((circuit && format != ExportFormat::kVerilog) || (query && format != ExportFormat::kSql)) {
    throw ConfigError(fmt::format("form must be auto{} for {}, got {}",
                                  format == ExportFormat::kVerilog ? ", parallel or serial"
                                  : format == ExportFormat::kSql   ? ", inline or relational"
                                                                   : "",
                                  name_of(format), name_of(form)));
  }
}

}  // namespace

std::string export_name(std::string_view file_name) {
  std::string name;
  for (const char c : file_name.substr(0, 64)) {
    name += std::isalnum(static_cast<unsigned char>(c)) != 0 && static_cast<unsigned char>(c) < 128 ? c : '_';
  }
  if (name.empty() || std::isalpha(static_cast<unsigned char>(name[0])) == 0) name = ("m" + name).substr(0, 64);
  return name;
}

std::string made_by() { return "falsum " + std::string(version()); }

std::string summary(const Lowered& lowered) {
  return fmt::format("{} outputs, {} features, {} clauses, {} literals", lowered.outputs, lowered.features,
                     lowered.clauses.size(), lowered.included());
}

std::vector<ExportedFile> export_model(const Model& model, ExportFormat format, const ExportOptions& options) {
  check_name(options.name);
  check_form(format, options.form);
  if (format == ExportFormat::kJson) return {{options.name + ".json", to_json(model, options)}};
  const Lowered lowered = lower(model);
  const TestVectors vectors = make_vectors(lowered, options.vectors);
  switch (format) {
    case ExportFormat::kJs:
      return write_javascript(lowered, vectors, options);
    case ExportFormat::kC:
      return write_c(lowered, vectors, options);
    case ExportFormat::kSql:
      return write_sql(lowered, vectors, options);
    case ExportFormat::kOnnx:
      return write_onnx(lowered, vectors, options);
    case ExportFormat::kVerilog:
      return write_verilog(lowered, vectors, options);
    case ExportFormat::kJson:  // above
      break;
  }
  return {};
}

}  // namespace falsum
