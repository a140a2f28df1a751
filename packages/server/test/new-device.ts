// The device below the SDK is part of the conformance kit.
export * from '@sealpost/conformance/testing';
