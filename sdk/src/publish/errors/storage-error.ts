import { describeStorageFailure } from "@pulumi-static-export/contract";
import { PublishError } from "./publish-error.js";

/** Gives advice for the error code and the HTTP status. */
type Advise = (code: string, status: number | undefined) => string;

/** A request to a storage failed. Contains no credentials, because it drops the SDK's error and its request. */
export class StorageError extends PublishError {
    override readonly name = "StorageError";

    /** @param operation - the storage's name for it, such as `PutObject` */
    constructor(
        address: string,
        operation: string,
        error: unknown,
        secrets: readonly string[],
        advise: Advise = adviseS3,
    ) {
        const { code, status, reason } = describeStorageFailure(error, secrets);
        super(`${address}: ${operation} failed (${reason}). ${advise(code, status)}`);
    }
}

const credentials =
    "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give this machine a role; a Pulumi program also reads " +
    "static-export:mirrorAccessKeyId and static-export:mirrorSecretAccessKey.";
const permissions =
    "Allow these credentials s3:GetObject, s3:PutObject and s3:DeleteObject on the objects, and s3:ListBucket on the " +
    "bucket.";
const values =
    "The storage does not accept a header or a name: its message says which. Set another cacheControl, or rename the page.";
export const again = "Nothing is lost: publish again to continue.";

/** Advice by the error name of the storage or the error code of the operating system. */
const adviceByCode: Readonly<Record<string, string>> = {
    NoSuchBucket: "Create the bucket first, and check its name, region and endpoint.",
    InvalidAccessKeyId: `The storage does not know these credentials. ${credentials}`,
    SignatureDoesNotMatch: `The secret key does not belong to the access key. ${credentials}`,
    ExpiredToken: `The temporary credentials have expired. Renew them. ${again}`,
    CredentialsProviderError: `No credentials were found. ${credentials}`,
    AccessDenied: permissions,
    RequestTimeTooSkewed: `Set the clock of this machine. ${again}`,
    PermanentRedirect: "Set the region of the bucket.",
    AuthorizationHeaderMalformed: "Set the region of the bucket.",
    InvalidArgument: values,
    InvalidObjectName: values,
    KeyTooLongError: "Choose a shorter prefix, or shorter names of pages.",
    ECONNREFUSED: "Check the endpoint, and that the storage is running.",
    ENOTFOUND: "Check the endpoint and DNS.",
};

const adviseS3: Advise = (code, status) => {
    const known = adviceByCode[code] ?? (status === 403 ? permissions : status === 301 ? "Set the region." : undefined);
    return known ?? (status === undefined || status >= 500 ? again : "Check bucket and endpoint.");
};

const adviceOfFiles: Readonly<Record<string, string>> = {
    EACCES: "Allow this user to read the site and to write to the folder.",
    EPERM: "Allow this user to read the site and to write to the folder.",
    EROFS: "Mount the disk for writing.",
    ENOSPC: "Free space on the disk.",
    EDQUOT: "Free space on the disk.",
    ENAMETOOLONG: "Choose shorter names of pages, or a folder with a shorter path.",
    ENOENT: "A file has been removed, or its name is not valid UTF-8: restore or rename it.",
};

/** Whether the operating system could not read or write a file. */
export function isFileFailure(error: unknown): error is NodeJS.ErrnoException {
    const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
    return typeof code === "string" && typeof syscall === "string";
}

/** A file of the site, or of the folder that the site is published to, could not be read or written. */
export class FileFailure extends PublishError {
    override readonly name = "FileFailure";

    constructor({ code = "", message }: NodeJS.ErrnoException) {
        const advice = adviceOfFiles[code];
        super(`${message.replace(/\p{C}/gu, "?")}. ${advice === undefined ? "" : `${advice} `}${again}`);
    }
}
