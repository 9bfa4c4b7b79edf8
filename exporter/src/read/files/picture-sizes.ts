import { getOrMake } from "../../text/get-or-make.js";
import { closeSync, readSync } from "node:fs";
import { GIF } from "image-size/types/gif";
import { JPG } from "image-size/types/jpg";
import { PNG } from "image-size/types/png";
import { WEBP } from "image-size/types/webp";
import { type FoundFiles } from "./found-files.js";

/** The displayed size of a picture, in pixels. */
export interface PictureSize {
    readonly width: number;
    readonly height: number;
}

/** Photographs contain their size after the camera's metadata, other formats within their first bytes. */
const headBytes = 64;
const headBytesOfPhoto = 64 * 1024;
const maxSide = 100_000;

/** Drawings are excluded, because a drawing without a size is as wide as its container. */
const pictureName = /\.(?:png|gif|webp|(jpe?g))$/i;

/** The sizes of a site's pictures, from the first bytes of their files. */
export class PictureSizes {
    readonly #sizes = new Map<string, PictureSize | undefined>();

    constructor(private readonly content: Pick<FoundFiles, "open">) {}

    /** Returns the size of a picture; undefined for another kind of file, and for a damaged picture. */
    of(file: string): PictureSize | undefined {
        const name = pictureName.exec(file);
        if (name === null) {
            return undefined;
        }
        const length = name[1] === undefined ? headBytes : headBytesOfPhoto;
        return getOrMake(this.#sizes, file, () => {
            try {
                return sizeIn(this.#head(file, length));
            } catch {
                return undefined;
            }
        });
    }

    #head(file: string, length: number): Uint8Array {
        const descriptor = this.content.open(file);
        try {
            const bytes = new Uint8Array(length);
            // Copies the bytes, because the readers read beyond the end of a subarray.
            return bytes.slice(0, readSync(descriptor, bytes, 0, length, 0));
        } finally {
            closeSync(descriptor);
        }
    }
}

/** @throws RangeError, TypeError for a picture that ends too early */
function sizeIn(head: Uint8Array): PictureSize | undefined {
    const found = [PNG, JPG, WEBP, GIF].find((kind) => kind.validate(head))?.calculate(head);
    if (found === undefined || ![found.width, found.height].every((side) => side > 0 && side <= maxSide)) {
        return undefined;
    }
    const { width, height, orientation = 1 } = found;
    return orientation >= 5 ? { width: height, height: width } : { width, height };
}
