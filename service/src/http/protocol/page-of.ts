/** The part of a list that a request asks for. @returns also the cursor of the next part; null at the end */
export function pageOf<T>(all: readonly T[], { cursor = "0", limit }: { cursor?: string; limit?: string | number }) {
    const end = limit === undefined ? all.length : Number(cursor) + Number(limit);
    return { page: all.slice(Number(cursor), end), next: end < all.length ? String(end) : null };
}
