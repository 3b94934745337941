#include "estimate.h"

#include "falsum/memory.h"
#include "json.h"
#include "report.h"
#include "schema_report.h"
#include "support/format.h"

namespace falsum::cli {

void print_estimate(const Options& options, const TrainingJob& job, const LearningUse& use, bool json) {
  const MemoryEstimate estimate = estimate_memory(options, job.booleanizer.features(), job.outputs(), use);
  const std::uint64_t needed = estimate.total(), limit = memory_limit(options);
  if (json) {
    print_json({{"samples", job.train.rows.rows()},
                {"features", job.booleanizer.features()},
                {"classes", job.outputs()},
                {"clauses", options.clauses},
                {"data_bytes", estimate.data},
                {"automata_bytes", estimate.automata},
                {"included_bytes", estimate.included},
                {"engine_bytes", estimate.engine},
                {"testing_bytes", estimate.testing},
                {"checkpoint_bytes", estimate.checkpoint},
                {"loading_bytes", estimate.loading},
                {"needed_bytes", needed},
                {"limit_bytes", limit},
                {"fits", limit == 0 || needed <= limit},
                {"schema", job_schema_json(job)}});
    return;
  }
  if (const std::string schema = schema_text(job.schema, job.booleanizer, job.train.origin, &job.reading);
      !schema.empty()) {
    fmt::print("{}\n", schema);
  }
  fmt::print("{}: {}, {}, {}; {}\n", job.train.origin, counted(job.train.rows.rows(), "sample", "samples"),
             counted(job.booleanizer.features(), "feature", "features"), outputs_text(options, job.outputs()),
             clauses_text(options));
  Table table({{"memory", Table::Align::kLeft}, {"at most"}});
  table.add({"data and program", bytes_text(estimate.data)});
  table.add({"automata", bytes_text(estimate.automata)});
  table.add({"literals of young clauses", bytes_text(estimate.included)});
  table.add({"engine", bytes_text(estimate.engine)});
  table.add({"testing", bytes_text(estimate.testing)});
  if (estimate.checkpoint > 0) table.add({"writing a checkpoint", bytes_text(estimate.checkpoint)});
  table.add({"all", bytes_text(needed)});
  table.add({"allowed", limit == 0 ? "not known" : bytes_text(limit)});
  fmt::print("{}", table.text());
}

}  // namespace falsum::cli
