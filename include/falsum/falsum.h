// All public headers of falsum. Start at machine.h (learning) and predictor.h (prediction).
#pragma once

#include "falsum/advice.h"              // IWYU pragma: export
#include "falsum/averaging.h"           // IWYU pragma: export
#include "falsum/bit_matrix.h"          // IWYU pragma: export
#include "falsum/booleanize_options.h"  // IWYU pragma: export
#include "falsum/booleanizer.h"         // IWYU pragma: export
#include "falsum/byte_rows.h"           // IWYU pragma: export
#include "falsum/calibration.h"         // IWYU pragma: export
#include "falsum/changes.h"             // IWYU pragma: export
#include "falsum/choices.h"             // IWYU pragma: export
#include "falsum/clause_outputs.h"      // IWYU pragma: export
#include "falsum/cpu.h"                 // IWYU pragma: export
#include "falsum/data_digest.h"         // IWYU pragma: export
#include "falsum/defaults.h"            // IWYU pragma: export
#include "falsum/engines.h"             // IWYU pragma: export
#include "falsum/error.h"               // IWYU pragma: export
#include "falsum/explanation.h"         // IWYU pragma: export
#include "falsum/export.h"              // IWYU pragma: export
#include "falsum/folds.h"               // IWYU pragma: export
#include "falsum/hold_out.h"            // IWYU pragma: export
#include "falsum/incremental.h"         // IWYU pragma: export
#include "falsum/learn_counters.h"      // IWYU pragma: export
#include "falsum/machine.h"             // IWYU pragma: export
#include "falsum/memory.h"              // IWYU pragma: export
#include "falsum/model.h"               // IWYU pragma: export
#include "falsum/options.h"             // IWYU pragma: export
#include "falsum/patches.h"             // IWYU pragma: export
#include "falsum/pipeline.h"            // IWYU pragma: export
#include "falsum/predictor.h"           // IWYU pragma: export
#include "falsum/prune.h"               // IWYU pragma: export
#include "falsum/report.h"              // IWYU pragma: export
#include "falsum/row_stream.h"
#include "falsum/row_weights.h"   // IWYU pragma: export
#include "falsum/rows.h"          // IWYU pragma: export
#include "falsum/rule_records.h"  // IWYU pragma: export
#include "falsum/rules.h"         // IWYU pragma: export
#include "falsum/schema.h"        // IWYU pragma: export
#include "falsum/scores.h"        // IWYU pragma: export
#include "falsum/source.h"        // IWYU pragma: export
#include "falsum/sparse_bits.h"   // IWYU pragma: export
#include "falsum/targets.h"       // IWYU pragma: export
#include "falsum/tune.h"          // IWYU pragma: export
