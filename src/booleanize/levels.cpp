#include "booleanize/mappings.h"
#include "data/formats.h"
#include "falsum/error.h"
#include "support/format.h"

namespace falsum {

Booleanizer::Levels fit_levels(const GreyImages& images, std::uint32_t width, const BooleanizeOptions& options) {
  check_size(images.rows, images.pixels, "the images");
  Booleanizer::Levels mapping{static_cast<std::uint32_t>(images.pixels), width, {}};
  if (options.levels == 1) {
    mapping.thresholds = {kUsualGreyThreshold};
  } else {
    for (int i = 1; i <= options.levels; ++i) {
      mapping.thresholds.push_back(static_cast<std::uint8_t>(256 * i / (options.levels + 1)));
    }
  }
  return mapping;
}

BitMatrix apply_thresholds(const GreyImages& images, const std::vector<std::uint8_t>& thresholds,
                           const std::string& origin) {
  BitMatrix bits = make_bits(images.rows, images.pixels * thresholds.size(), origin);
  for (std::size_t r = 0; r < images.rows; ++r) {
    const std::uint8_t* image = images.values.data() + r * images.pixels;
    std::uint64_t* row = bits.row(r).data();
    std::size_t feature = 0;
    for (const std::uint8_t threshold : thresholds) {
      for (std::size_t i = 0; i < images.pixels; ++i, ++feature) {
        row[feature / 64] |= std::uint64_t{image[i] > threshold} << (feature % 64);
      }
    }
  }
  return bits;
}

BitMatrix apply_levels(const Booleanizer::Levels& mapping, const Source& source) {
  const auto check_pixels = [&](std::size_t found) {
    if (found == mapping.pixels) return;
    throw DataError(
        fmt::format("{} has images of {} pixels, expected {} as in training", source.origin, found, mapping.pixels));
  };
  if (const auto* images = std::get_if<GreyImages>(&source.values)) {
    check_pixels(images->pixels);
    return apply_thresholds(*images, mapping.thresholds, source.origin);
  }
  // Images that are bits already, such as the built-in MNIST, serve where there was one level.
  if (const auto* bits = std::get_if<BitMatrix>(&source.values); bits != nullptr && mapping.thresholds.size() == 1) {
    check_pixels(bits->columns());
    return *bits;
  }
  throw DataError(fmt::format("{} holds {}, expected grey images of {} pixels as in training", source.origin,
                              describe(source), mapping.pixels));
}

}  // namespace falsum
