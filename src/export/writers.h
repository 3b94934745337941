// One writer for each format. Each returns its files, the main one first.
#pragma once

#include <vector>

#include "export/lowered.h"
#include "export/vectors.h"

namespace falsum {

std::vector<ExportedFile> write_javascript(const Lowered& lowered, const TestVectors& vectors,
                                           const ExportOptions& options);

std::vector<ExportedFile> write_c(const Lowered& lowered, const TestVectors& vectors, const ExportOptions& options);
std::vector<ExportedFile> write_onnx(const Lowered& lowered, const TestVectors& vectors, const ExportOptions& options);
std::vector<ExportedFile> write_verilog(const Lowered& lowered, const TestVectors& vectors,
                                        const ExportOptions& options);
std::vector<ExportedFile> write_sql(const Lowered& lowered, const TestVectors& vectors, const ExportOptions& options);

/// "falsum 0.2.0", for the first line of every file.
std::string made_by();
/// One line for the first comment: "10 outputs, 784 features, 200 clauses, 3210 literals".
std::string summary(const Lowered& lowered);

}  // namespace falsum
