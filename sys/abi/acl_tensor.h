// SPDX-License-Identifier: Apache-2.0 OR MIT
// Descriptions of tensors: type, format, shape.
//
// All functions are optional: a release may lack them. A function without a note is in CANN 8.1.
#ifndef ASCEND_ABI_ACL_TENSOR_H
#define ASCEND_ABI_ACL_TENSOR_H

#include "acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

static const int32_t ACL_TENSOR_SHAPE_RANGE_NUM = 2;
static const int32_t ACL_TENSOR_VALUE_RANGE_NUM = 2;
static const uint64_t ACL_UNKNOWN_RANK = 0xFFFFFFFFFFFFFFFEull;

/// The description of a tensor.
typedef struct aclTensorDesc aclTensorDesc;

aclTensorDesc *aclCreateTensorDesc(aclDataType dataType, int numDims, const int64_t *dims, aclFormat format);
void aclDestroyTensorDesc(const aclTensorDesc *desc);
aclError aclSetTensorShapeRange(aclTensorDesc *desc, size_t dimsCount, int64_t (*dimsRange)[2]);
aclError aclSetTensorValueRange(aclTensorDesc *desc, size_t valueCount, int64_t (*valueRange)[2]);
aclDataType aclGetTensorDescType(const aclTensorDesc *desc);
aclFormat aclGetTensorDescFormat(const aclTensorDesc *desc);
size_t aclGetTensorDescSize(const aclTensorDesc *desc);
size_t aclGetTensorDescElementCount(const aclTensorDesc *desc);
size_t aclGetTensorDescNumDims(const aclTensorDesc *desc);
int64_t aclGetTensorDescDim(const aclTensorDesc *desc, size_t index);
aclError aclGetTensorDescDimV2(const aclTensorDesc *desc, size_t index, int64_t *dimSize);
aclError aclGetTensorDescDimRange(const aclTensorDesc *desc, size_t index, size_t dimRangeNum, int64_t *dimRange);
void aclSetTensorDescName(aclTensorDesc *desc, const char *name);
const char *aclGetTensorDescName(aclTensorDesc *desc);
aclError aclTransTensorDescFormat(const aclTensorDesc *srcDesc, aclFormat dstFormat, aclTensorDesc **dstDesc);
aclError aclSetTensorStorageFormat(aclTensorDesc *desc, aclFormat format);
aclError aclSetTensorStorageShape(aclTensorDesc *desc, int numDims, const int64_t *dims);
aclError aclSetTensorFormat(aclTensorDesc *desc, aclFormat format);
aclError aclSetTensorShape(aclTensorDesc *desc, int numDims, const int64_t *dims);
aclError aclSetTensorOriginFormat(aclTensorDesc *desc, aclFormat format);
aclError aclSetTensorOriginShape(aclTensorDesc *desc, int numDims, const int64_t *dims);
aclTensorDesc *aclGetTensorDescByIndex(aclTensorDesc *desc, size_t index);
void *aclGetTensorDescAddress(const aclTensorDesc *desc);
aclError aclSetTensorDynamicInput(aclTensorDesc *desc, const char *dynamicInputName);
aclError aclSetTensorConst(aclTensorDesc *desc, void *dataBuffer, size_t length);
aclError aclSetTensorPlaceMent(aclTensorDesc *desc, aclMemType memType);

#ifdef __cplusplus
}
#endif
#endif
