import { statfs } from "node:fs/promises";
import { containerdSocket } from "../control-plane/components.js";
import { imageName, type ImageSettings } from "./archive-image.js";

/** The program on the node that talks to its containerd. */
export const containerd = ["ctr", "--address", containerdSocket, "--namespace", "k8s.io"];

const overlayFileSystem = 0x794c7630;

/**
 * Layers are copied in most containers, because their root is an overlay, on which no other overlay can be mounted.
 */
export async function suitableSnapshotter(stateFolder: string): Promise<string> {
    return (await statfs(stateFolder)).type === overlayFileSystem ? "native" : "overlayfs";
}

/** The command that imports an image into containerd, so that the node's pods can use it. */
export function importCommand(image: ImageSettings, archive: string, snapshotter: string): string[] {
    const options = ["--snapshotter", snapshotter, "--base-name", imageName(image)];
    return [...containerd, "images", "import", ...options, archive];
}
