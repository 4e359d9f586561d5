#include "capi/context.h"

#include <new>

#include "skincells/version.h"

namespace skincells::capi {
namespace {

skincells_code codeOf(ErrorCode code) {
  switch (code) {
  case ErrorCode::InvalidOption:
    return SKINCELLS_INVALID_OPTION;
  case ErrorCode::FileNotFound:
    return SKINCELLS_FILE_NOT_FOUND;
  case ErrorCode::UnsafeReference:
    return SKINCELLS_UNSAFE_REFERENCE;
  case ErrorCode::InvalidFile:
    return SKINCELLS_INVALID_FILE;
  case ErrorCode::TooLarge:
    return SKINCELLS_TOO_LARGE;
  case ErrorCode::UnsupportedFeature:
    return SKINCELLS_UNSUPPORTED_FEATURE;
  case ErrorCode::NoMesh:
    return SKINCELLS_NO_MESH;
  case ErrorCode::NoSkeleton:
    return SKINCELLS_NO_SKELETON;
  case ErrorCode::AmbiguousSkeleton:
    return SKINCELLS_AMBIGUOUS_SKELETON;
  case ErrorCode::NoJoints:
    return SKINCELLS_NO_JOINTS;
  case ErrorCode::Mismatch:
    return SKINCELLS_MISMATCH;
  case ErrorCode::ImportFailed:
    return SKINCELLS_IMPORT_FAILED;
  case ErrorCode::CannotWrite:
    return SKINCELLS_CANNOT_WRITE;
  case ErrorCode::Cancelled:
    return SKINCELLS_CANCELLED;
  }
  return SKINCELLS_INTERNAL;
}

// All codes of the library, in the order of their values: the C code of the first is 1.
constexpr ErrorCode kCodes[] = {ErrorCode::InvalidOption, ErrorCode::FileNotFound, ErrorCode::UnsafeReference,
                                ErrorCode::InvalidFile,   ErrorCode::TooLarge,     ErrorCode::UnsupportedFeature,
                                ErrorCode::NoMesh,        ErrorCode::NoSkeleton,   ErrorCode::AmbiguousSkeleton,
                                ErrorCode::NoJoints,      ErrorCode::Mismatch,     ErrorCode::ImportFailed,
                                ErrorCode::CannotWrite,   ErrorCode::Cancelled};

constexpr const char* kReleased = "the object of this handle was released";

const char* nameOf(skincells_code code) {
  switch (code) {
  case SKINCELLS_OK:
    return "ok";
  case SKINCELLS_INVALID_ARGUMENT:
    return "invalid_argument";
  case SKINCELLS_OUT_OF_MEMORY:
    return "out_of_memory";
  case SKINCELLS_INTERNAL:
    return "internal";
  default:
    break;
  }
  for (ErrorCode c : kCodes)
    if (codeOf(c) == code) return errorName(c).data(); // literals
  return "unknown";
}

} // namespace

Failure::Failure(Error error)
    : code(codeOf(error.code)), message(std::move(error.message)), where(std::move(error.where)) {}

void failArgument(std::string message, std::string where) {
  throw Failure(SKINCELLS_INVALID_ARGUMENT, std::move(message), std::move(where));
}

skincells_code setCurrentException(skincells_context& context) noexcept {
  try {
    try {
      throw;
    } catch (Failure& failure) {
      return context.setError(std::move(failure));
    } catch (const std::bad_alloc&) {
      return context.setError({SKINCELLS_OUT_OF_MEMORY, "there is not enough memory; use a smaller mesh", ""});
    } catch (const std::exception& error) {
      return context.setError({SKINCELLS_INTERNAL, std::string("internal error: ") + error.what(), ""});
    } catch (...) {
      return context.setError({SKINCELLS_INTERNAL, "internal error", ""});
    }
  } catch (...) {
    return SKINCELLS_OUT_OF_MEMORY; // not even the message has room
  }
}

} // namespace skincells::capi

using namespace skincells::capi;

skincells_handle skincells_context::addObject(std::shared_ptr<Object> object) {
  const std::scoped_lock lock(mutex_);
  const skincells_handle handle = last_handle_ + 1;
  objects_.emplace(handle, std::move(object));
  return last_handle_ = handle;
}

std::shared_ptr<Object> skincells_context::find(skincells_handle handle, const char* argument) const {
  const std::scoped_lock lock(mutex_);
  const auto entry = objects_.find(handle);
  if (entry != objects_.end()) return entry->second;
  failArgument(handle != 0 && handle <= last_handle_ ? kReleased : "this handle names no object of the context",
               argument);
}

void skincells_context::failKind(const Object& object, const char* argument) {
  failArgument(std::string("this handle names an object of another kind: ") + object.kind(), argument);
}

void skincells_context::release(skincells_handle handle) {
  if (handle == 0) return;
  const std::shared_ptr<Object> last = find(handle, "handle"); // its destructor runs outside of the lock
  const std::scoped_lock lock(mutex_);
  if (objects_.erase(handle) == 0) failArgument(kReleased, "handle"); // by another thread, just now
}

std::size_t skincells_context::objectCount() const {
  const std::scoped_lock lock(mutex_);
  return objects_.size();
}

skincells_code skincells_context::setError(Failure failure) {
  const skincells_code code = failure.code;
  const std::scoped_lock lock(mutex_);
  errors_.insert_or_assign(std::this_thread::get_id(), std::move(failure));
  return code;
}

void skincells_context::clearError() {
  const std::scoped_lock lock(mutex_);
  errors_.erase(std::this_thread::get_id());
}

const Failure* skincells_context::lastError() const {
  const std::scoped_lock lock(mutex_);
  const auto entry = errors_.find(std::this_thread::get_id());
  return entry == errors_.end() ? nullptr : &entry->second;
}

// The C functions about versions, contexts and errors.

const char* skincells_version(void) {
  return SKINCELLS_VERSION;
}

uint32_t skincells_abi_version(void) {
  return SKINCELLS_ABI_VERSION;
}

const char* skincells_code_name(skincells_code code) {
  return nameOf(code);
}

skincells_code skincells_create(uint32_t abi_version, skincells_context** context) {
  if (context == nullptr) return SKINCELLS_INVALID_ARGUMENT;
  if (abi_version != SKINCELLS_ABI_VERSION) return SKINCELLS_MISMATCH;
  auto* created = new (std::nothrow) skincells_context;
  if (created == nullptr) return SKINCELLS_OUT_OF_MEMORY;
  *context = created;
  return SKINCELLS_OK;
}

void skincells_destroy(skincells_context* context) {
  delete context;
}

// Does not change the last error, unless it cannot tell it.
skincells_code skincells_last_error(skincells_context* context, skincells_error* error) {
  if (context == nullptr) return SKINCELLS_INVALID_ARGUMENT;
  try {
    const Failure* failure = context->lastError();
    if (failure == nullptr) {
      fill(error, {0, SKINCELLS_OK, nameOf(SKINCELLS_OK), "", ""}, "error");
    } else {
      fill(error, {0, failure->code, nameOf(failure->code), failure->message.c_str(), failure->where.c_str()}, "error");
    }
    return SKINCELLS_OK;
  } catch (...) {
    return setCurrentException(*context);
  }
}

skincells_code skincells_release(skincells_context* context, skincells_handle handle) {
  return call(context, [&](skincells_context& c) { c.release(handle); });
}

skincells_code skincells_object_count(skincells_context* context, size_t* count) {
  return call(context, [&](skincells_context& c) { required(count, "count") = c.objectCount(); });
}

skincells_code skincells_bytes_data(skincells_context* context, skincells_bytes bytes, const char** data,
                                    size_t* size) {
  return call(context, [&](skincells_context& c) {
    const auto object = c.get<Bytes>(bytes, "bytes");
    required(data, "data") = object->data.c_str();
    if (size != nullptr) *size = object->data.size();
  });
}
