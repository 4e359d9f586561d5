// The Draco decoder. The build puts its parts into the page as data: addresses, so nothing is fetched.
import { DRACOLoader, DRACO_GLTF_CONFIG } from "three/examples/jsm/loaders/DRACOLoader.js";

export function dracoLoader(): DRACOLoader {
  return new DRACOLoader().setDecoderPath(DRACO_GLTF_CONFIG).setWorkerLimit(1);
}
