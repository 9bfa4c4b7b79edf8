/** The names that Tailwind gives sizes: `h-6`, `w-[120px]`, `size-4`. */
const sizeName = /(?<![^\s])(w|h|size)-(\d{1,3}(?:\.5)?|\[\d{1,4}(?:\.\d{1,3})?(?:px|rem|em|%)\])(?![^\s])/g;

const sides: Readonly<Record<string, readonly string[]>> = { w: ["width"], h: ["height"], size: ["width", "height"] };

/**
 * The size that a picture's class names ask for, as a style. A drawing that has its size from nothing else would be as
 * wide as the page.
 */
export function sizeOfClasses(classes: string): Record<string, string> {
    const style: Record<string, string> = {};
    for (const [, name = "", size = ""] of classes.matchAll(sizeName)) {
        for (const side of sides[name] ?? []) {
            style[side] = size.startsWith("[") ? size.slice(1, -1) : `${Number(size) / 4}rem`;
        }
    }
    return style;
}
