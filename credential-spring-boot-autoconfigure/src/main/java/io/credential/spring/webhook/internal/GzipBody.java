package io.credential.spring.webhook.internal;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Decompresses a gzip file (RFC 1952) in memory, in full or not at all. {@link java.util.zip.GZIPInputStream} ignores what
 * follows the last member, and calls itself for each empty one. Depends on nothing but its arguments. Not thread-safe.
 */
final class GzipBody {

    private static final int FIXED_HEADER = 10;
    private static final int TRAILER = 8;
    private static final int HEADER_CRC = 2;
    private static final int EXTRA = 4;
    private static final int NAME = 8;
    private static final int COMMENT = 16;
    private static final int RESERVED = 0xE0;
    private static final int CHUNK = 8192;

    private final ByteBuffer in;
    private final long maxBytes;
    private final Inflater inflater;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final byte[] chunk = new byte[CHUNK];

    private GzipBody(byte[] gzip, long maxBytes, Inflater inflater) {
        this.in = ByteBuffer.wrap(gzip).order(ByteOrder.LITTLE_ENDIAN);
        this.maxBytes = maxBytes;
        this.inflater = inflater;
    }

    /**
     * Returns the content of all members. Decompresses at most one byte more than is permitted.
     *
     * @param maxBytes the maximum length of the content
     * @throws UnusableBodyException if the file is malformed, truncated or followed by other bytes, or the content is longer
     */
    static byte[] decode(byte[] gzip, long maxBytes) {
        return decode(gzip, maxBytes, new Inflater(true));
    }

    /** Ends the inflater. */
    static byte[] decode(byte[] gzip, long maxBytes, Inflater inflater) {
        try {
            GzipBody body = new GzipBody(gzip, maxBytes, inflater);
            do {
                body.readMember();
            } while (body.in.hasRemaining());
            return body.out.toByteArray();
        } catch (DataFormatException e) {
            throw UnusableBodyException.malformedGzip();
        } finally {
            inflater.end();
        }
    }

    private void readMember() throws DataFormatException {
        skipHeader();
        inflater.reset();
        inflater.setInput(in);
        CRC32 checksum = new CRC32();
        long length = 0;
        while (!inflater.finished()) {
            int count = inflater.inflate(chunk, 0, (int) Math.min(chunk.length, maxBytes + 1 - out.size()));
            // Nothing is left to decompress, or a dictionary is missing, which gzip does not have.
            require(count > 0 || inflater.finished());
            checksum.update(chunk, 0, count);
            length += count;
            out.write(chunk, 0, count);
            if (out.size() > maxBytes) {
                throw UnusableBodyException.tooLarge(maxBytes);
            }
        }
        require(in.remaining() >= TRAILER);
        require(in.getInt() == (int) checksum.getValue());
        require(in.getInt() == (int) length);
    }

    private void skipHeader() throws DataFormatException {
        int start = in.position();
        require(in.remaining() >= FIXED_HEADER);
        require(in.get() == 0x1F && in.get() == (byte) 0x8B && in.get() == 8);
        int flags = in.get();
        require((flags & RESERVED) == 0);
        in.position(start + FIXED_HEADER);
        if ((flags & EXTRA) != 0) {
            require(in.remaining() >= 2);
            int extra = Short.toUnsignedInt(in.getShort());
            require(in.remaining() >= extra);
            in.position(in.position() + extra);
        }
        if ((flags & NAME) != 0) {
            skipText();
        }
        if ((flags & COMMENT) != 0) {
            skipText();
        }
        if ((flags & HEADER_CRC) != 0) {
            CRC32 checksum = new CRC32();
            checksum.update(in.array(), start, in.position() - start);
            require(in.remaining() >= 2);
            require(in.getShort() == (short) checksum.getValue());
        }
    }

    private void skipText() throws DataFormatException {
        do {
            require(in.hasRemaining());
        } while (in.get() != 0);
    }

    private static void require(boolean isValid) throws DataFormatException {
        if (!isValid) {
            throw new DataFormatException();
        }
    }
}
