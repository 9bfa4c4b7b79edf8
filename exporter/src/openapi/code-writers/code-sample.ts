export interface ApiRequest {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly (readonly [string, string])[];
    /** As JSON; undefined for a request without a body. */
    readonly body: string | undefined;
    readonly bodyType: string | undefined;
}

export interface CodeSample {
    readonly label: string;
    readonly language: string;
    readonly code: string;
}
