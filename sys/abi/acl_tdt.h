// SPDX-License-Identifier: Apache-2.0 OR MIT
// Channels that move tensors between host and device. In libacl_tdt_channel.so.
//
// All functions are optional: a release may lack them. A function without a note is in CANN 8.1.
#ifndef ASCEND_ABI_ACL_TDT_H
#define ASCEND_ABI_ACL_TDT_H

#include "acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A channel.
typedef struct acltdtChannelHandle acltdtChannelHandle;

/// A tensor that travels.
typedef struct acltdtDataItem acltdtDataItem;

/// Tensors that travel together.
typedef struct acltdtDataset acltdtDataset;

typedef enum acltdtTensorType {
    ACL_TENSOR_DATA_UNDEFINED = -1,
    ACL_TENSOR_DATA_TENSOR = 0,
    ACL_TENSOR_DATA_END_OF_SEQUENCE = 1,
    ACL_TENSOR_DATA_ABNORMAL = 2,
    ACL_TENSOR_DATA_SLICE_TENSOR = 3,
    ACL_TENSOR_DATA_END_TENSOR = 4,
} acltdtTensorType;

// ---------------------------------------------------------------------------------------------- channels

aclError acltdtStopChannel(acltdtChannelHandle *handle);
acltdtChannelHandle *acltdtCreateChannel(uint32_t deviceId, const char *name);
acltdtChannelHandle *acltdtCreateChannelWithCapacity(uint32_t deviceId, const char *name, size_t capacity);
aclError acltdtDestroyChannel(acltdtChannelHandle *handle);
aclError acltdtCleanChannel(acltdtChannelHandle *handle);
aclError acltdtSendTensor(const acltdtChannelHandle *handle, const acltdtDataset *dataset, int32_t timeout);
aclError acltdtReceiveTensor(const acltdtChannelHandle *handle, acltdtDataset *dataset, int32_t timeout);
aclError acltdtQueryChannelSize(const acltdtChannelHandle *handle, size_t *size);

// ----------------------------------------------------------------------------------------------- tensors

acltdtTensorType acltdtGetTensorTypeFromItem(const acltdtDataItem *dataItem);
aclDataType acltdtGetDataTypeFromItem(const acltdtDataItem *dataItem);
void *acltdtGetDataAddrFromItem(const acltdtDataItem *dataItem);
size_t acltdtGetDataSizeFromItem(const acltdtDataItem *dataItem);
size_t acltdtGetDimNumFromItem(const acltdtDataItem *dataItem);
aclError acltdtGetSliceInfoFromItem(const acltdtDataItem *dataItem, size_t *sliceNum, size_t *sliceId);
aclError acltdtGetDimsFromItem(const acltdtDataItem *dataItem, int64_t *dims, size_t dimNum);
acltdtDataItem *acltdtCreateDataItem(acltdtTensorType tdtType, const int64_t *dims, size_t dimNum,
                                     aclDataType dataType, void *data, size_t size);
aclError acltdtDestroyDataItem(acltdtDataItem *dataItem);
acltdtDataset *acltdtCreateDataset(void);
aclError acltdtDestroyDataset(acltdtDataset *dataset);
acltdtDataItem *acltdtGetDataItem(const acltdtDataset *dataset, size_t index);
aclError acltdtAddDataItem(acltdtDataset *dataset, acltdtDataItem *dataItem);
size_t acltdtGetDatasetSize(const acltdtDataset *dataset);
const char *acltdtGetDatasetName(const acltdtDataset *dataset);

#ifdef __cplusplus
}
#endif
#endif
