// PNG and JPEG files to images.
#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <string_view>

#include <jpeglib.h>
#include <png.h>

#include "base/try.h"
#include "skincells/viz/image.h"

namespace skincells {
namespace {

constexpr std::uint64_t kMostPixels = std::uint64_t{1} << 26U; // 8192 x 8192

Error damaged(const char* format, const std::string& where) {
  return {ErrorCode::InvalidFile, std::string("its ") + format + " image cannot be decoded", where};
}

Result<Image> emptyImage(std::uint64_t width, std::uint64_t height, const std::string& where) {
  if (width == 0 || height == 0 || width * height > kMostPixels)
    return Error{ErrorCode::TooLarge, "its image has no pixels, or more than 8192 x 8192", where};
  return Image(static_cast<int>(width), static_cast<int>(height));
}

Result<Image> decodePng(std::span<const std::uint8_t> bytes, const std::string& where) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_memory(&png, bytes.data(), bytes.size()) == 0) return damaged("PNG", where);
  png.format = PNG_FORMAT_RGBA;
  auto image = emptyImage(png.width, png.height, where);
  const bool read = image && png_image_finish_read(&png, nullptr, image->rgba.data(), 0, nullptr) != 0;
  png_image_free(&png);
  if (image && !read) return damaged("PNG", where);
  return image;
}

// libjpeg reports errors by a jump out of its functions; nothing with a destructor may live between.
struct JpegErrors {
  jpeg_error_mgr manager;
  std::jmp_buf jump;
};

void leave(j_common_ptr jpeg) {
  std::longjmp(reinterpret_cast<JpegErrors*>(jpeg->err)->jump, 1);
}

class JpegReader {
public:
  explicit JpegReader(std::span<const std::uint8_t> bytes) {
    jpeg_.err = jpeg_std_error(&errors_.manager);
    errors_.manager.error_exit = leave;
    errors_.manager.output_message = [](j_common_ptr) {};
    jpeg_create_decompress(&jpeg_);
    jpeg_mem_src(&jpeg_, bytes.data(), bytes.size());
  }
  ~JpegReader() { jpeg_destroy_decompress(&jpeg_); }
  JpegReader(const JpegReader&) = delete;
  JpegReader& operator=(const JpegReader&) = delete;

  bool readHeader() {
    if (setjmp(errors_.jump) != 0) return false;
    jpeg_read_header(&jpeg_, TRUE);
    return true;
  }
  std::uint64_t width() const { return jpeg_.image_width; }
  std::uint64_t height() const { return jpeg_.image_height; }

  // `pixels` holds width * height RGBA pixels.
  bool readPixels(std::uint8_t* pixels) {
    if (setjmp(errors_.jump) != 0) return false;
    jpeg_.out_color_space = JCS_EXT_RGBA;
    jpeg_start_decompress(&jpeg_);
    while (jpeg_.output_scanline < jpeg_.output_height) {
      JSAMPROW row = pixels + std::size_t{jpeg_.output_scanline} * jpeg_.output_width * 4;
      jpeg_read_scanlines(&jpeg_, &row, 1);
    }
    return true;
  }

private:
  jpeg_decompress_struct jpeg_{};
  JpegErrors errors_{};
};

Result<Image> decodeJpeg(std::span<const std::uint8_t> bytes, const std::string& where) {
  JpegReader reader(bytes);
  if (!reader.readHeader()) return damaged("JPEG", where);
  SKINCELLS_TRY(image, emptyImage(reader.width(), reader.height(), where));
  if (!reader.readPixels(image.rgba.data())) return damaged("JPEG", where);
  return std::move(image);
}

} // namespace

Result<Image> decodeImage(std::span<const std::uint8_t> bytes, const std::string& where) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.starts_with("\x89PNG")) return decodePng(bytes, where);
  if (text.starts_with("\xFF\xD8")) return decodeJpeg(bytes, where);
  const bool ktx = text.substr(0, 8).find("KTX") != std::string_view::npos;
  const bool webp = text.size() > 12 && text.substr(8, 4) == "WEBP";
  return Error{ErrorCode::UnsupportedFeature,
               std::string(ktx    ? "its image is KTX2"
                           : webp ? "its image is WebP"
                                  : "its image is in an unknown format") +
                   "; pictures show PNG and JPEG textures",
               where};
}

} // namespace skincells
