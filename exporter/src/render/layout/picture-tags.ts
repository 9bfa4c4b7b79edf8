import { posix } from "node:path";
import { type PictureSize } from "../../read/files/picture-sizes.js";
import { htmlFileOf } from "../../read/files/routes.js";
import { decodeUri } from "../../text/decode-uri.js";

const pictureTag = /<img( [^<>]*)>/g;
/** Names of Tailwind, and styles, that give a picture a size of their own. */
const sizeName = / class="(?:[^"]*[\s:])?(?:w|h|size|max-h|min-h|min-w|aspect)-/;
const sizeStyle = / style="[^"]*(?:width|height|aspect-ratio)/;

/**
 * Gives pictures the size of their files, so that nothing moves when they have loaded; those to which their author gives
 * one keep it, and get the height that belongs to a width.
 *
 * @param route of the page, from which its addresses lead
 * @param sizeOf the size of a file of the site
 */
export function withPictureSizes(
    html: string,
    route: string,
    sizeOf: (file: string) => PictureSize | undefined,
): string {
    const folder = posix.dirname(htmlFileOf(route));
    return html.replace(pictureTag, (tag, attributes: string) => {
        const [, src] = / src="([^":?#]+)/.exec(attributes) ?? [];
        if (src === undefined || / height="/.test(attributes) || sizeName.test(tag) || sizeStyle.test(tag)) {
            return tag;
        }
        const [, width, given] = / width="(?:(\d+)(?:px)?|([^"]*))"/.exec(attributes) ?? [];
        const size =
            given === undefined ? sizeOf(posix.join(folder, decodeUri(src.replaceAll("&amp;", "&")))) : undefined;
        if (size === undefined) {
            return tag;
        }
        return width === undefined
            ? `<img${attributes} width="${size.width}" height="${size.height}">`
            : `<img${attributes} height="${Math.round((Number(width) * size.height) / size.width)}">`;
    });
}
