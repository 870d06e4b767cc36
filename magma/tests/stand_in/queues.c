/* The stand-in's queues, which are laid out otherwise than Talus's. */
#include <stdlib.h>

#include "stand_in.h"

struct magma_queue {
  double magic;
  magma_device_t device;
  cudaStream_t stream;
};
static const double magic = 1.25;

int magma_stand_in_streams = 0;
int magma_stand_in_inits = 0;

magma_int_t magma_init(void) {
  ++magma_stand_in_inits;
  return MAGMA_SUCCESS;
}
magma_int_t magma_finalize(void) {
  --magma_stand_in_inits;
  return MAGMA_SUCCESS;
}
void magma_version(magma_int_t* major, magma_int_t* minor, magma_int_t* micro) {
  *major = *minor = *micro = MAGMA_STAND_IN_VERSION;
}
magma_int_t magma_getdevice_arch(void) { return 900; }
magma_int_t magma_num_gpus(void) { return MAGMA_STAND_IN_VERSION; }

void magma_queue_create_from_cuda_internal(magma_device_t device, cudaStream_t stream, cublasHandle_t cublas,
                                           cusparseHandle_t cusparse, magma_queue_t* queue_ptr,
                                           const char* func, const char* file, int line) {
  (void)cublas, (void)cusparse, (void)func, (void)file, (void)line;
  *queue_ptr = malloc(sizeof **queue_ptr);
  if (*queue_ptr == NULL) return;
  (*queue_ptr)->magic = magic;
  (*queue_ptr)->device = device;
  (*queue_ptr)->stream = stream;
}
/* On the default stream: that asks for no device. */
void magma_queue_create_internal(magma_device_t device, magma_queue_t* queue_ptr, const char* func,
                                 const char* file, int line) {
  magma_queue_create_from_cuda_internal(device, NULL, NULL, NULL, queue_ptr, func, file, line);
}
void magma_queue_destroy_internal(magma_queue_t queue, const char* func, const char* file, int line) {
  (void)func, (void)file, (void)line;
  free(queue);
}
magma_int_t magma_queue_get_device(magma_queue_t queue) { return queue->device; }
cudaStream_t magma_queue_get_cuda_stream(magma_queue_t queue) {
  ++magma_stand_in_streams;
  return queue->stream;
}

int magma_stand_in_check(magma_queue_t queue) { return queue->magic == magic; }
