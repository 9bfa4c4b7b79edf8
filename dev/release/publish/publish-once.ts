export interface Publication {
    readonly name: string;
    readonly digest: string;
    /** @returns the digest of the published file with this name */
    find(): Promise<string | undefined>;
    publish(): Promise<unknown>;
}

/** Publishes an artifact unless it is published already, so that an interrupted release can be continued. */
export async function publishOnce({ name, digest, find, publish }: Publication): Promise<void> {
    const published = await find();
    if (published === undefined) {
        await publish();
        console.log(`Published ${name}.`);
    } else if (published === digest) {
        console.log(`${name} is published already.`);
    } else {
        throw new Error(
            `${name} is published already, with different contents (${published}, but this release has ${digest}). ` +
                "Nobody can replace a published version: publish the files of the run that was interrupted, or " +
                "release the next version.",
        );
    }
}
