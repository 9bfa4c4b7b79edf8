/** The value of a key, created if the map has none. */
export function getOrMake<K, V>(map: Map<K, V>, key: K, make: () => V): V {
    const known = map.get(key);
    if (known !== undefined || map.has(key)) {
        return known as V;
    }
    const made = make();
    map.set(key, made);
    return made;
}
