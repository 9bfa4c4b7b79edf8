/** Why there was no response. */
export type ConnectionFailure = "local" | "dns" | "tls" | "no-tls" | "refused" | "unreachable" | "reset" | "protocol";

/** Why a bundle was refused. */
export type BundleProblem =
    | "not-an-archive"
    | "corrupt"
    | "unsafe-path"
    | "unsafe-link"
    | "unsafe-entry"
    | "duplicate-entry"
    | "too-many-bytes"
    | "too-many-files"
    | "no-pages"
    | "size-mismatch"
    | "digest-mismatch"
    | "unsafe-redirect"
    | "unsafe-address"
    | "folder-in-use";
