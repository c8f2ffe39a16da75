// SPDX-License-Identifier: Apache-2.0 OR MIT
// Fields of the tiling structures of the library, in the order of their memory: V(type, name) and, for
// arrays, A(type, elements, name). Of them kernel_tiling.h makes structures for kernels, and optiling.h
// classes for the host.
#ifndef MF_HOST_MF_TILING_FIELDS_H
#define MF_HOST_MF_TILING_FIELDS_H

// Their names.
#define MF_TILINGS(X) X(TCubeTiling) MF_TILINGS_OF_ROWS(X)
#define MF_TILINGS_OF_ROWS(X) \
    X(LogSoftMaxTiling) X(SoftMaxTiling) X(Mc2ServerCfg) X(Mc2HcommCfg) X(Mc2InitTiling) \
    X(Mc2CcTiling) X(BatchNormTiling) X(DeepNormTiling) X(GroupNormTiling) \
    X(LayerNormGradBetaTiling) X(LayerNormGradTiling) X(LayerNormTiling) X(LayerNormSeparateTiling) \
    X(RmsNormTiling) X(UnPadTiling) X(PadTiling) X(TopkTiling) X(ConfusionTransposeTiling)

#define MF_FIELDS_LogSoftMaxTiling(V, A) \
    V(uint32_t, srcM) V(uint32_t, srcK) V(uint32_t, srcSize) V(uint32_t, outMaxM) \
    V(uint32_t, outMaxK) V(uint32_t, outMaxSize) V(uint32_t, splitM) V(uint32_t, splitK) \
    V(uint32_t, splitSize) V(uint32_t, reduceM) V(uint32_t, reduceK) V(uint32_t, reduceSize) \
    V(uint32_t, rangeM) V(uint32_t, tailM) V(uint32_t, tailSplitSize) V(uint32_t, tailReduceSize)

#define MF_FIELDS_SoftMaxTiling(V, A) \
    V(uint32_t, srcM) V(uint32_t, srcK) V(uint32_t, srcSize) V(uint32_t, outMaxM) \
    V(uint32_t, outMaxK) V(uint32_t, outMaxSize) V(uint32_t, splitM) V(uint32_t, splitK) \
    V(uint32_t, splitSize) V(uint32_t, reduceM) V(uint32_t, reduceK) V(uint32_t, reduceSize) \
    V(uint32_t, rangeM) V(uint32_t, tailM) V(uint32_t, tailSplitSize) V(uint32_t, tailReduceSize)

#define MF_FIELDS_Mc2ServerCfg(V, A) \
    V(uint32_t, version) V(uint8_t, debugMode) V(uint8_t, sendArgIndex) V(uint8_t, recvArgIndex) \
    V(uint8_t, commOutArgIndex) A(uint8_t, 8, reserved)

#define MF_FIELDS_Mc2HcommCfg(V, A) \
    V(uint8_t, skipLocalRankCopy) V(uint8_t, skipBufferWindowCopy) V(uint8_t, stepSize) \
    A(char, 13, reserved) A(char, 128, groupName) A(char, 128, algConfig) V(uint32_t, opType) \
    V(uint32_t, reduceType)

#define MF_FIELDS_Mc2InitTiling(V, A) \
    A(uint8_t, 64, reserved)

#define MF_FIELDS_Mc2CcTiling(V, A) \
    A(uint8_t, 512, reserved)

#define MF_FIELDS_TCubeTiling(V, A) \
    V(int32_t, usedCoreNum) V(int32_t, M) V(int32_t, N) V(int32_t, Ka) V(int32_t, Kb) \
    V(int32_t, singleCoreM) V(int32_t, singleCoreN) V(int32_t, singleCoreK) V(int32_t, baseM) \
    V(int32_t, baseN) V(int32_t, baseK) V(int32_t, depthA1) V(int32_t, depthB1) V(int32_t, stepM) \
    V(int32_t, stepN) V(int32_t, isBias) V(int32_t, transLength) V(int32_t, iterateOrder) \
    V(int32_t, shareMode) V(int32_t, shareL1Size) V(int32_t, shareL0CSize) V(int32_t, shareUbSize) \
    V(int32_t, batchM) V(int32_t, batchN) V(int32_t, singleBatchM) V(int32_t, singleBatchN) \
    V(int32_t, stepKa) V(int32_t, stepKb) V(int32_t, depthAL1CacheUB) V(int32_t, depthBL1CacheUB) \
    V(int32_t, dbL0A) V(int32_t, dbL0B) V(int32_t, dbL0C) V(int32_t, ALayoutInfoB) \
    V(int32_t, ALayoutInfoS) V(int32_t, ALayoutInfoN) V(int32_t, ALayoutInfoG) \
    V(int32_t, ALayoutInfoD) V(int32_t, BLayoutInfoB) V(int32_t, BLayoutInfoS) \
    V(int32_t, BLayoutInfoN) V(int32_t, BLayoutInfoG) V(int32_t, BLayoutInfoD) \
    V(int32_t, CLayoutInfoB) V(int32_t, CLayoutInfoS1) V(int32_t, CLayoutInfoN) \
    V(int32_t, CLayoutInfoG) V(int32_t, CLayoutInfoS2) V(int32_t, BatchNum) V(int32_t, mxTypePara)

#define MF_FIELDS_BatchNormTiling(V, A) \
    V(uint32_t, originalBLength) V(uint32_t, meanVarSize) V(uint32_t, meanTmpTensorPos) \
    V(uint32_t, varianceTmpTensorPos) V(uint32_t, tmpBufSize) V(uint32_t, oneTmpSize) \
    V(uint32_t, firstTmpStartPos) V(uint32_t, secondTmpStartPos) V(uint32_t, thirdTmpStartPos) \
    V(uint32_t, loopRound) V(uint32_t, inputTailSize) V(uint32_t, inputTailPos) \
    V(uint32_t, meanVarTailSize) V(uint32_t, meanVarTailPos) V(uint32_t, bshCurLength) \
    V(uint32_t, shCurLength) V(float, firstDimValueBack) V(uint32_t, castHalfRepStride) \
    V(uint32_t, shCurLengthBlockNum) V(uint32_t, castHalfOutRepStride)

#define MF_FIELDS_DeepNormTiling(V, A) \
    V(uint32_t, bLength) V(uint32_t, sLength) V(uint32_t, hLength) V(uint32_t, originalHLength) \
    V(uint32_t, inputXSize) V(uint32_t, meanVarSize) V(uint32_t, numberOfTmpBuf) \
    V(uint32_t, meanTmpTensorPos) V(uint32_t, meanTmpTensorSize) V(uint32_t, varianceTmpTensorPos) \
    V(uint32_t, varianceTmpTensorSize) V(uint32_t, tmpBufSize) V(uint32_t, oneTmpSize) \
    V(uint32_t, firstTmpStartPos) V(uint32_t, secondTmpStartPos) V(uint32_t, thirdTmpStartPos) \
    V(uint32_t, loopRound) V(uint32_t, inputRoundSize) V(uint32_t, inputTailSize) \
    V(uint32_t, inputTailPos) V(uint32_t, meanVarRoundSize) V(uint32_t, meanVarTailSize) \
    V(uint32_t, meanVarTailPos) V(uint32_t, bshCurLength) V(uint32_t, bsCurLength) \
    V(float, lastDimValueBack)

#define MF_FIELDS_GroupNormTiling(V, A) \
    V(uint32_t, n) V(uint32_t, c) V(uint32_t, hw) V(uint32_t, g) V(uint32_t, d) \
    V(uint32_t, hwAlignSize) V(uint32_t, dhwAlignSize) V(uint32_t, inputXSize) \
    V(uint32_t, meanVarSize) V(uint32_t, numberOfTmpBuf) V(uint32_t, meanTmpTensorPos) \
    V(uint32_t, meanTmpTensorSize) V(uint32_t, varianceTmpTensorPos) \
    V(uint32_t, varianceTmpTensorSize) V(uint32_t, tmpBufSize) V(uint32_t, oneTmpSize) \
    V(uint32_t, firstTmpStartPos) V(uint32_t, secondTmpStartPos) V(uint32_t, thirdTmpStartPos) \
    V(uint32_t, loopRound) V(uint32_t, inputRoundSize) V(uint32_t, inputTailSize) \
    V(uint32_t, inputTailPos) V(uint32_t, meanVarRoundSize) V(uint32_t, meanVarTailSize) \
    V(uint32_t, meanVarTailPos) V(uint32_t, bshCurLength) V(uint32_t, bsCurLength) V(float, factor) \
    V(bool, smallShape)

#define MF_FIELDS_LayerNormGradBetaTiling(V, A) \
    V(uint32_t, stackBufferSize) V(uint32_t, bLength) V(uint32_t, sLength) V(uint32_t, hLength) \
    V(uint32_t, originalHLength) V(uint32_t, bshLength) V(uint32_t, bsLength) \
    V(uint32_t, oneCalSize) V(uint32_t, numberOfTmpBuf) V(uint32_t, loopRound) \
    V(uint32_t, inputTailSize) V(uint32_t, inputTailPos) V(uint32_t, bsTailSize) \
    V(uint32_t, bshCurLength) V(uint32_t, bsCurLength) V(uint32_t, gammaTempTensorPos) \
    V(uint32_t, betaTempTensorPos) V(uint32_t, inputDyTmpTensorPos) \
    V(uint32_t, resForGammaTmpTensorPos) V(uint32_t, reserved)

#define MF_FIELDS_LayerNormGradTiling(V, A) \
    V(uint32_t, stackBufferSize) V(uint32_t, bLength) V(uint32_t, sLength) V(uint32_t, hLength) \
    V(uint32_t, originalHLength) V(uint32_t, oneCalSize) V(uint32_t, nohCalSize) \
    V(uint32_t, loopNum) V(uint32_t, tailSize) V(uint32_t, nohTailSize) V(uint32_t, tmpTensorBSHPos) \
    V(uint32_t, tmpTensorBSHSize) V(uint32_t, pdVarTensorPos) V(uint32_t, pdVarTensorSize) \
    V(uint32_t, pdMeanTensorPos) V(uint32_t, pdMeanTensorSize) V(uint32_t, x1TensorPos) \
    V(uint32_t, x1TensorSize) V(uint32_t, x2TensorPos) V(uint32_t, x2TensorSize) \
    V(uint32_t, x3TensorPos) V(uint32_t, x3TensorSize) V(uint32_t, tmpTensorPos) \
    V(uint32_t, tmpTensorSize) V(uint32_t, tmpTensor1Pos) V(uint32_t, tmpTensor1Size) \
    V(uint32_t, tmpTensor2Pos) V(uint32_t, tmpTensor2Size) V(uint32_t, lastDimValueBack) \
    V(uint32_t, lastDimValueBackMulTwo)

#define MF_FIELDS_LayerNormTiling(V, A) \
    V(uint32_t, bLength) V(uint32_t, sLength) V(uint32_t, hLength) V(uint32_t, originalHLength) \
    V(uint32_t, inputXSize) V(uint32_t, meanVarSize) V(uint32_t, numberOfTmpBuf) \
    V(uint32_t, meanTmpTensorPos) V(uint32_t, meanTmpTensorSize) V(uint32_t, varianceTmpTensorPos) \
    V(uint32_t, varianceTmpTensorSize) V(uint32_t, tmpBufSize) V(uint32_t, oneTmpSize) \
    V(uint32_t, firstTmpStartPos) V(uint32_t, secondTmpStartPos) V(uint32_t, thirdTmpStartPos) \
    V(uint32_t, loopRound) V(uint32_t, inputRoundSize) V(uint32_t, inputTailSize) \
    V(uint32_t, inputTailPos) V(uint32_t, meanVarRoundSize) V(uint32_t, meanVarTailSize) \
    V(uint32_t, meanVarTailPos) V(uint32_t, bshCurLength) V(uint32_t, bsCurLength) \
    V(float, lastDimValueBack)

#define MF_FIELDS_LayerNormSeparateTiling(V, A) \
    V(uint32_t, aLength) V(uint32_t, rLength) V(uint32_t, halfAddRepeatTimes) \
    V(uint32_t, rHeadLength) V(float, k2Rec) V(float, k2RRec) V(uint32_t, inputXSize) \
    V(uint32_t, meanVarSize) V(uint32_t, numberOfTmpBuf) V(uint32_t, varianceTmpTensorPos) \
    V(uint32_t, varianceTmpTensorSize) V(uint32_t, tmpBufSize) V(uint32_t, oneTmpSize) \
    V(uint32_t, firstTmpStartPos) V(uint32_t, secondTmpStartPos) V(uint32_t, thirdTmpStartPos) \
    V(uint32_t, loopRound) V(uint32_t, inputRoundSize) V(uint32_t, inputTailSize) \
    V(uint32_t, inputTailPos) V(uint32_t, meanVarRoundSize) V(uint32_t, meanVarTailSize) \
    V(uint32_t, meanVarTailPos) V(uint32_t, arCurLength) V(uint32_t, aCurLength) \
    V(float, rValueBack)

#define MF_FIELDS_RmsNormTiling(V, A) \
    V(uint32_t, bLength) V(uint32_t, sLength) V(uint32_t, hLength) V(uint32_t, originalHLength) \
    V(float, reciprocalOfHLength) V(uint32_t, mainBshLength) V(uint32_t, mainBsLength) \
    V(uint32_t, mainBsLengthAlign) V(uint32_t, loopRound) V(uint32_t, inputTailPos) \
    V(uint32_t, tailBshLength) V(uint32_t, tailBsLength)

#define MF_FIELDS_UnPadTiling(V, A) \
    V(uint32_t, srcHeight) V(uint32_t, srcWidth) V(uint32_t, tmpBuffer1BlockNum) \
    V(uint32_t, tmpBuffer1RowNum) V(uint32_t, tmpBuffer2Offset) V(uint32_t, widthTiling) \
    V(uint32_t, widthFractal) V(uint32_t, widthFractalTail)

#define MF_FIELDS_PadTiling(V, A) \
    V(uint32_t, srcHeight) V(uint32_t, srcWidth) V(uint32_t, srcOriWidth) \
    V(uint32_t, widthWithoutLastBlock) V(uint32_t, blocksPerRow) V(uint32_t, heightTiling) \
    V(uint32_t, heightFractal) V(uint32_t, heightFractalTail) V(uint32_t, mainLoopOffset) \
    V(uint32_t, tailBlockOffset) V(uint32_t, tmpBuffer1BlockNum) V(uint32_t, tmpBuffer1RowNum) \
    V(uint32_t, tmpBuffer2Offset) V(uint32_t, widthTiling) V(uint32_t, widthFractal) \
    V(uint32_t, widthFractalTail) V(uint32_t, widthFractalTailAlingned) V(uint32_t, brcbTiling) \
    V(uint32_t, brcbFractal) V(uint32_t, brcbFractalTail) V(uint32_t, maxRepeatTimes) \
    V(uint32_t, brcbTilingRepeatTimes) V(uint32_t, brcbTilingRepeatTimesTail) \
    V(uint32_t, brcbFractalTailRepeatTimes) V(uint32_t, brcbFractalTailRepeatTimesTail) \
    V(uint32_t, reserved)

#define MF_FIELDS_TopkTiling(V, A) \
    V(int32_t, tmpLocalSize) V(int32_t, allDataSize) V(int32_t, innerDataSize) \
    V(uint32_t, sortRepeat) V(int32_t, mrgSortRepeat) V(int32_t, kAlignFourBytes) \
    V(int32_t, kAlignTwoBytes) V(int32_t, maskOffset) V(int32_t, maskVreducev2FourBytes) \
    V(int32_t, maskVreducev2TwoBytes) V(int32_t, mrgSortSrc1offset) V(int32_t, mrgSortSrc2offset) \
    V(int32_t, mrgSortSrc3offset) V(int32_t, mrgSortTwoQueueSrc1Offset) \
    V(int32_t, mrgFourQueueTailPara1) V(int32_t, mrgFourQueueTailPara2) V(int32_t, srcIndexOffset) \
    V(uint32_t, copyUbToUbBlockCount) V(int32_t, topkMrgSrc1MaskSizeOffset) \
    V(int32_t, topkNSmallSrcIndexOffset) V(uint32_t, vreduceValMask0) V(uint32_t, vreduceValMask1) \
    V(uint32_t, vreduceIdxMask0) V(uint32_t, vreduceIdxMask1) V(uint16_t, vreducehalfValMask0) \
    V(uint16_t, vreducehalfValMask1) V(uint16_t, vreducehalfValMask2) \
    V(uint16_t, vreducehalfValMask3) V(uint16_t, vreducehalfValMask4) \
    V(uint16_t, vreducehalfValMask5) V(uint16_t, vreducehalfValMask6) \
    V(uint16_t, vreducehalfValMask7)

#define MF_FIELDS_ConfusionTransposeTiling(V, A) \
    V(uint32_t, param0) V(uint32_t, param1) V(uint32_t, param2) V(uint32_t, param3) \
    V(uint32_t, param4) V(uint32_t, param5) V(uint32_t, param6) V(uint32_t, param7) \
    V(uint32_t, param8) V(uint32_t, param9) V(uint32_t, param10) V(uint32_t, param11) \
    V(uint32_t, param12) V(uint32_t, param13) V(uint32_t, param14) V(uint32_t, param15) \
    V(uint32_t, param16) V(uint32_t, param17)

#endif
