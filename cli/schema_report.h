// The schema of a data file as text and as JSON, as `train` and `inspect --schema` print it.
#pragma once

#include <string>

#include "falsum/booleanizer.h"
#include "falsum/source.h"
#include "report.h"

namespace falsum::cli {

/// How the table was read in one sentence, a line for each column, and the notes. `origin` names the file; empty:
/// "data".
std::string schema_text(const Schema& schema, const Booleanizer& booleanizer, const std::string& origin,
                        const ReadingReport* reading = nullptr);
Json schema_json(const Schema& schema, const Booleanizer& booleanizer, const ReadingReport* reading = nullptr);

/// "left out 3 of the rows, the first because ...", or nothing.
std::string skipped_text(const ReadingReport& reading);

}  // namespace falsum::cli
