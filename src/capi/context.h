// What a C context holds: objects by handle, and the last error of each thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>

#include "skincells/result.h"
#include "skincells/skincells_c.h"

namespace skincells::capi {

// Thrown within this room alone: each C function turns it into a code and the last error.
struct Failure {
  skincells_code code = SKINCELLS_INTERNAL;
  std::string message, where;

  Failure(skincells_code c, std::string what, std::string place)
      : code(c), message(std::move(what)), where(std::move(place)) {}
  explicit Failure(Error error);
};

[[noreturn]] void failArgument(std::string message, std::string where);

// The value of a result; throws its error.
template <class T> T valueOf(Result<T> result) {
  if (!result) throw Failure(std::move(result).error());
  return std::move(*result);
}
inline void valueOf(Result<void> result) {
  if (!result) throw Failure(std::move(result).error());
}

template <class T> T& required(T* pointer, const char* argument) {
  if (pointer == nullptr) failArgument("it is a null pointer", argument);
  return *pointer;
}

struct Object {
  virtual ~Object() = default;
  virtual const char* kind() const = 0; // "character", ...
};

} // namespace skincells::capi

struct skincells_context {
public:
  template <class T> skincells_handle add(std::shared_ptr<T> object) { return addObject(std::move(object)); }

  // The object of a handle. Throws for handles that are released, unknown or of another kind.
  template <class T> std::shared_ptr<T> get(skincells_handle handle, const char* argument) const {
    const std::shared_ptr<skincells::capi::Object> object = find(handle, argument);
    auto typed = std::dynamic_pointer_cast<T>(object);
    if (!typed) failKind(*object, argument);
    return typed;
  }
  // The same, and null for handle 0.
  template <class T> std::shared_ptr<T> getOptional(skincells_handle handle, const char* argument) const {
    return handle == 0 ? nullptr : get<T>(handle, argument);
  }
  std::shared_ptr<skincells::capi::Object> find(skincells_handle handle, const char* argument) const;
  void release(skincells_handle handle);
  std::size_t objectCount() const;

  // The last error of the calling thread.
  skincells_code setError(skincells::capi::Failure failure);
  void clearError();
  const skincells::capi::Failure* lastError() const;

private:
  skincells_handle addObject(std::shared_ptr<skincells::capi::Object> object);
  [[noreturn]] static void failKind(const skincells::capi::Object& object, const char* argument);

  mutable std::mutex mutex_;
  std::unordered_map<skincells_handle, std::shared_ptr<skincells::capi::Object>> objects_;
  skincells_handle last_handle_ = 0;
  std::map<std::thread::id, skincells::capi::Failure> errors_;
};

namespace skincells::capi {

// Sets the last error from the exception that is being handled.
skincells_code setCurrentException(skincells_context& context) noexcept;

// The body of every C function with a context: nothing that it throws gets out.
template <class Body> skincells_code call(skincells_context* context, const Body& body) noexcept {
  if (context == nullptr) return SKINCELLS_INVALID_ARGUMENT;
  try {
    body(*context);
    context->clearError();
    return SKINCELLS_OK;
  } catch (...) {
    return setCurrentException(*context);
  }
}

// Copies what the caller's struct has room for. The caller has set its size.
template <class T> void fill(T* out, T values, const char* argument) {
  const std::size_t size = required(out, argument).size;
  constexpr std::size_t kLeast = sizeof(std::size_t), kMost = 16 * sizeof(T); // more is no later version
  if (size < kLeast || size > kMost) failArgument("its field `size` must be the size of the struct", argument);
  values.size = size;
  const auto* from = reinterpret_cast<const unsigned char*>(&values);
  auto* to = reinterpret_cast<unsigned char*>(out);
  for (std::size_t i = 0; i < size; ++i) to[i] = i < sizeof(T) ? from[i] : 0;
}

// What the caller gave; fields of later versions that the caller does not know are 0.
template <class T> T taken(const T* in, const char* argument) {
  const std::size_t size = required(in, argument).size;
  if (size < sizeof(std::size_t) || size > sizeof(T))
    failArgument("its field `size` must be the size of the struct, at most " + std::to_string(sizeof(T)), argument);
  T values{};
  const auto* from = reinterpret_cast<const unsigned char*>(in);
  auto* to = reinterpret_cast<unsigned char*>(&values);
  for (std::size_t i = 0; i < size; ++i) to[i] = from[i];
  return values;
}

// Bytes and texts that a call returned.
struct Bytes : Object {
  std::string data;

  explicit Bytes(std::string content) : data(std::move(content)) {}
  const char* kind() const override { return "bytes"; }
};

inline skincells_bytes addBytes(skincells_context& context, std::string data) {
  return context.add(std::make_shared<Bytes>(std::move(data)));
}

} // namespace skincells::capi
