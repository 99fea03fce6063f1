import { CloudError } from '../../../application/ports/cloud-provider.js';
import type { Clock } from '../../../application/ports/clock.js';
import type { Architecture, PoolConfiguration } from '../configuration/hetzner-configuration.js';
import { ApiError } from '../client/api-error.js';
import type { HetznerApi } from '../client/hetzner-api.js';
import type { CallOptions } from '../client/hetzner-client.js';
import type { Image, ServerType } from '../client/records.js';
import type { Telemetry } from '../client/telemetry.js';

/** `hetzner` 3.9; keeps a batch of growths at one look-up, and follows a new snapshot soon. */
const TTL_MS = 5 * 60_000;
const API_ARCHITECTURE: Readonly<Record<Architecture, string>> = { amd64: 'x86', arm64: 'arm' };

interface Resolution {
  readonly atMs: number;
  readonly candidates: Promise<readonly Image[]>;
}

/** Turns image references (id, name or label selector) into images. At most one look-up per reference and architecture. */
export class Images {
  private readonly resolutions = new Map<string, Resolution>();

  constructor(
    private readonly api: HetznerApi,
    private readonly clock: Clock,
    private readonly telemetry: Telemetry,
  ) {}

  /**
   * The image that boots this pool's servers. Throws {@link CloudError} kind `configuration` where there is none, and
   * {@link ApiError} where the API fails.
   */
  async resolve(
    pool: PoolConfiguration,
    type: ServerType & { readonly architecture: Architecture },
    options: CallOptions,
  ): Promise<Image> {
    const reference = pool.images[type.architecture];
    // An empty reference must never become a query: it would boot the newest snapshot of the project (B04).
    if (reference === null || reference.trim() === '') {
      throw missing(
        'no-image',
        `pool ${pool.id}: no image is configured for architecture ${type.architecture}`,
      );
    }
    const candidates = await this.candidates(reference, type.architecture, options);
    const image = candidates.find((candidate) => isBootable(candidate, type));
    if (image === undefined) {
      const cause = candidates.length === 0 ? '' : ', or none that is available and fits the disk';
      const message =
        `pool ${pool.id}: unable to find image ${reference} with architecture ` +
        `${API_ARCHITECTURE[type.architecture]}${cause}`;
      throw missing('image-not-found', message);
    }
    return image;
  }

  private candidates(
    reference: string,
    architecture: Architecture,
    options: CallOptions,
  ): Promise<readonly Image[]> {
    const key = `${architecture} ${reference}`;
    const known = this.resolutions.get(key);
    if (known !== undefined && this.clock.now() - known.atMs < TTL_MS) return known.candidates;
    const candidates = this.lookUp(reference, architecture, options);
    const resolution = { atMs: this.clock.now(), candidates };
    this.resolutions.set(key, resolution);
    candidates.then(
      (images) => {
        // Not found may be mended any moment; only what was found is kept.
        if (images.length === 0) this.forget(key, resolution);
        else this.warnIfDeprecated(reference, images);
      },
      () => this.forget(key, resolution),
    );
    return candidates;
  }

  private forget(key: string, resolution: Resolution): void {
    if (this.resolutions.get(key) === resolution) this.resolutions.delete(key);
  }

  private async lookUp(
    reference: string,
    architecture: Architecture,
    options: CallOptions,
  ): Promise<readonly Image[]> {
    const apiArchitecture = API_ARCHITECTURE[architecture];
    if (/^\d+$/.test(reference)) {
      const image = await this.api.image(Number(reference), options);
      if (image !== null) return [image];
    }
    if (!/[=!(),\s]/.test(reference)) {
      const query = { name: reference, architecture: apiArchitecture, include_deprecated: 'true' };
      const named = await this.search(query, options);
      if (named.length > 0) return named;
    }
    const query = {
      type: 'snapshot',
      status: 'available',
      architecture: apiArchitecture,
      label_selector: reference,
      sort: 'created:desc',
    };
    const snapshots = await this.search(query, options);
    return snapshots.filter((image) => image.type === 'snapshot').sort((a, b) => b.createdMs - a.createdMs);
  }

  /** Text that is no possible name or selector is answered with `invalid_input`: nothing found. */
  private async search(
    query: Readonly<Record<string, string>>,
    options: CallOptions,
  ): Promise<readonly Image[]> {
    try {
      return await this.api.images(query, options);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'invalid_input') return [];
      throw error;
    }
  }

  private warnIfDeprecated(reference: string, images: readonly Image[]): void {
    const deprecated = images[0]?.deprecated;
    if (deprecated == null) return;
    const message = `image ${reference} is deprecated since ${deprecated} and will be removed; choose a newer one`;
    this.telemetry.logger.warn('hcloud-image-deprecated', message, { image: reference });
  }
}

function isBootable(image: Image, type: ServerType): boolean {
  return (
    image.architecture === type.architecture &&
    image.status === 'available' &&
    image.deleted === null &&
    image.type !== 'backup' &&
    image.diskGb <= type.diskGb
  );
}

function missing(code: string, message: string): CloudError {
  return new CloudError({
    kind: 'configuration',
    code,
    message: `${message}; set imagesForArch or HCLOUD_IMAGE to an id, a name or a label selector`,
  });
}
