// The library itself: version, the last error of a thread, memory, lists of texts, kernel sets.
#include <stdexcept>

#include "falsum/cpu.h"
#include "handles.h"

namespace falsum::c_api {
namespace {

/// Does not allocate, for the case that even the message does not fit into memory.
struct LastError {
  std::string text;
  bool lost = false;
  const char* message() const { return lost ? "not enough memory, not even for the message" : text.c_str(); }
};
thread_local LastError last_error;

int remember(falsum_status status, const char* message) noexcept {
  try {
    last_error.text = message;
    last_error.lost = false;
  } catch (...) {
    last_error.lost = true;
  }
  return status;
}

}  // namespace

int status_of_current_exception() noexcept {
  try {
    throw;
  } catch (const ConfigError& error) {
    return remember(FALSUM_ERROR_ARGUMENT, error.what());
  } catch (const DataError& error) {
    return remember(FALSUM_ERROR_DATA, error.what());
  } catch (const FileError& error) {
    return remember(FALSUM_ERROR_FILE, error.what());
  } catch (const std::bad_alloc&) {
    return remember(FALSUM_ERROR_MEMORY, "there is not enough memory");
  } catch (const std::length_error&) {  // a vector of more elements than there can be
    return remember(FALSUM_ERROR_MEMORY, "there is not enough memory");
  } catch (const std::exception& error) {
    return remember(FALSUM_ERROR_INTERNAL, error.what());
  } catch (...) {
    return remember(FALSUM_ERROR_INTERNAL, "something was thrown that is no std::exception");
  }
}

}  // namespace falsum::c_api

using namespace falsum;
using namespace falsum::c_api;

const char* falsum_version(void) { return version().data(); }
uint32_t falsum_abi_version(void) { return FALSUM_ABI_VERSION; }
const char* falsum_last_error(void) { return last_error.message(); }
void falsum_free(void* memory) { std::free(memory); }

int falsum_kernel_sets(falsum_texts** names) {
  return give_handle(names, "names", [] {
    falsum_texts sets;
    for (const KernelSetInfo& set : list_kernel_sets()) {
      if (set.supported) sets.texts.push_back(set.name);
    }
    return sets;
  });
}

int falsum_auto_kernel_set(char** name) {
  return give_text(name, "name", [] {
    for (const KernelSetInfo& set : list_kernel_sets()) {
      if (set.chosen) return set.name;
    }
    throw std::logic_error("no kernel set is chosen");
  });
}

namespace {

const std::string& text_at(const falsum_texts* texts, std::size_t place) {
  const std::vector<std::string>& list = needed(texts, "texts").texts;
  if (place >= list.size()) throw ConfigError(fmt::format("place must be below {}, got {}", list.size(), place));
  return list[place];
}

}  // namespace

size_t falsum_texts_count(const falsum_texts* texts) {
  return guarded_value(std::size_t{0}, [&] { return needed(texts, "texts").texts.size(); });
}

const char* falsum_texts_at(const falsum_texts* texts, size_t place) {
  return guarded_value<const char*>(nullptr, [&] { return text_at(texts, place).c_str(); });
}

size_t falsum_texts_length(const falsum_texts* texts, size_t place) {
  return guarded_value(std::size_t{0}, [&] { return text_at(texts, place).size(); });
}

void falsum_texts_free(falsum_texts* texts) { delete texts; }
