const NEWLINE = 10;
/** etcd takes objects up to 1.5 MiB by default; a watch line holds one object. Ten times that is broken framing. */
const LINE_BYTES_MAX = 16 * 1024 * 1024;

/** Cuts a watch stream into lines. JSON text never holds a bare line feed. */
export class LineSplitter {
  private pending: Buffer = Buffer.alloc(0);

  /** The lines that are complete with these bytes, without empty ones. */
  push(chunk: Uint8Array): readonly Buffer[] {
    const bytes = Buffer.concat([this.pending, chunk]);
    const lines: Buffer[] = [];
    // What was pending holds no line feed.
    let start = 0;
    let end = bytes.indexOf(NEWLINE, this.pending.length);
    while (end >= 0) {
      if (end > start) lines.push(bytes.subarray(start, end));
      start = end + 1;
      end = bytes.indexOf(NEWLINE, start);
    }
    this.pending = bytes.subarray(start);
    if (this.pending.length > LINE_BYTES_MAX) throw new RangeError('a line of the watch is too long');
    return lines;
  }
}
