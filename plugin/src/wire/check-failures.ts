import { CheckFailure as Failure, CheckResponse } from "@pulumi/pulumi/proto/provider_pb.js";
import { type Decoded, encode } from "./properties.js";

export interface CheckFailure {
    property: string;
    reason: string;
}

/** Returns the checked inputs, and the reasons for refusing them. */
export function checkResponse({ values, secrets }: Decoded, failures: readonly CheckFailure[]): CheckResponse {
    const response = new CheckResponse();
    response.setInputs(encode(values, secrets));
    response.setFailuresList(
        failures.map(({ property, reason }) => {
            const failure = new Failure();
            failure.setProperty(property);
            failure.setReason(reason);
            return failure;
        }),
    );
    return response;
}
