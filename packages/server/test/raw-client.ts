// The client below the SDK is part of the conformance kit.
export * from '@sealpost/conformance/testing';
