import { tmpdir } from "node:os";
import { describeStorageFailure } from "@pulumi-static-export/contract";
import { PublishError } from "./publish-error.js";

/** Gives advice for the error code and the HTTP status. */
export type Advise = (code: string, status: number | undefined) => string;

/** A request to a storage failed. Contains no credentials, because it drops the SDK's error and its request. */
export class StorageError extends PublishError {
    override readonly name = "StorageError";

    /** Whether the storage says that the bucket or container does not exist. */
    readonly isPlaceGone: boolean;
    /** Whether the storage refuses these credentials the operation. */
    readonly isDenied: boolean;

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
        this.isDenied = status === 401 || status === 403;
        this.isPlaceGone = code === "NoSuchBucket" || code === "ContainerNotFound";
    }
}

/** Sentences for a user of S3-compatible storage. */
interface StorageSettings {
    /** How to set the keys. */
    readonly credentials: string;
    /** The permissions that the keys need. */
    readonly permissions: string;
    /** The next step after a failure that may pass. */
    readonly again: string;
}

const values =
    "The storage does not accept a header or a name: its message says which. Set another cacheControl, or rename the page.";
export const again = "Nothing is lost: publish again to continue.";

/** The codes of storages that keep objects as files on a disk. */
const fileAndFolderCodes = [
    "ObjectParentIsFile",
    "ExistingObjectIsDirectory",
    "XMinioParentIsObject",
    "XMinioObjectExistsAsDirectory",
];
const fileAndFolder =
    "This storage cannot hold a file and a folder of the same name, such as guide and guide/start: use addresses " +
    '"files". If a file of an earlier release is in the way, run `static-export unpublish`, and publish again.';

/** The beginnings of the codes of a certificate that this machine does not trust. */
const untrusted = /^(UNABLE_TO_(GET|VERIFY)|SELF_SIGNED_|DEPTH_ZERO_|CERT_UNTRUSTED)/;

/** Advice for a failed check of the storage's certificate. @param variables - that name certificate authorities */
export function adviseCertificate(code: string, variables: string): string | undefined {
    if (untrusted.test(code)) {
        return `This machine does not trust the storage's certificate: name its certificate authority in ${variables}.`;
    }
    return code.startsWith("CERT_") || code.startsWith("ERR_TLS_CERT_")
        ? "The storage's certificate is not valid for this endpoint or time: check both."
        : undefined;
}

/**
 * Gives advice by the error name of S3-compatible storage or the error code of the operating system, and else by the
 * status.
 */
export function createS3Advice({ credentials, permissions, again }: StorageSettings): Advise {
    const byCode: Readonly<Record<string, string>> = {
        ...Object.fromEntries(fileAndFolderCodes.map((code) => [code, fileAndFolder])),
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
        RequestHeaderSectionTooLarge: "Set a shorter cacheControl.",
        KeyTooLongError: "Choose a shorter prefix, or shorter page names.",
        ERR_INVALID_CHAR:
            "Remove line breaks and control characters from the keys (AWS_ACCESS_KEY_ID, AWS_SESSION_TOKEN), the " +
            "Cache-Control and the encryption.",
        ECONNREFUSED: "Check the endpoint, and that the storage is running.",
        ENOTFOUND: "Check the endpoint and DNS. Self-hosted storage usually needs the bucket in the path.",
    };
    const byStatus: Readonly<Record<number, string>> = {
        301: "Set the region of the bucket.",
        // The answer to HEAD has no body; S3 also answers 403 for a missing object that may not be listed.
        403: `${permissions} The keys may also be wrong: the response has no body that names the cause.`,
        409: again,
        429: again,
    };
    return (code, status = 500) =>
        byCode[code] ??
        adviseCertificate(code, "NODE_EXTRA_CA_CERTS, or in AWS_CA_BUNDLE, which replaces those of this machine") ??
        byStatus[status] ??
        (status >= 500 ? again : "Check the bucket, its region and the endpoint.");
}

const adviseS3 = createS3Advice({
    credentials:
        "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give this machine a role. A Pulumi program also reads " +
        "static-export:mirrorAccessKeyId and static-export:mirrorSecretAccessKey.",
    permissions:
        "Allow these credentials s3:GetObject, s3:PutObject and s3:DeleteObject on the objects, and s3:ListBucket on " +
        "the bucket.",
    again,
});

const adviceOfFiles: Readonly<Record<string, string>> = {
    EACCES: "Allow this user to read the site and to write to the folder.",
    EPERM: "Allow this user to read the site and to write to the folder.",
    EROFS: "Mount the disk for writing.",
    EMFILE: "Raise the limit of open files (ulimit -n).",
    ENFILE: "Too many files are open on this machine: raise fs.file-max.",
    EFBIG: "Raise the limit of file sizes (ulimit -f), or publish to a file system that stores larger files.",
    ELOOP: "A link leads to itself: remove it.",
    ENAMETOOLONG: "Choose shorter page names, or a folder with a shorter path.",
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

    /** @param address - of the place that is published to */
    constructor(cause: NodeJS.ErrnoException, address: string) {
        const { code = "", syscall, message } = cause;
        const advice =
            code === "ENOSPC" || code === "EDQUOT"
                ? `Free space on the disk of ${address}, or on the disk for temporary files, ${tmpdir()}.`
                : code === "ENOENT" && syscall === "mkdir"
                  ? "A folder was removed, or its disk is mounted read-only: create it, or mount the disk for writing."
                  : adviceOfFiles[code];
        super(`${message.replace(/\p{C}/gu, "?")}. ${advice === undefined ? "" : `${advice} `}${again}`, { cause });
    }
}
