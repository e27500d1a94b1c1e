package io.credential.spring.webhook.internal;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import java.util.zip.Inflater;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class GzipBodyTests {

    private static final int FLAGS = 3;
    private static final byte[] TEXT = "{\"name\":\"kettle\",\"colour\":\"red red red\"}".getBytes(UTF_8);

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 100, 8191, 8192, 8193, 100_000})
    void decodeThenReturnsTheContent(int length) {
        byte[] content = new byte[length];
        new Random(1).nextBytes(content);

        assertThat(GzipBody.decode(gzip(content), length)).isEqualTo(content);
    }

    @Test
    void decodeWhenContentIsLongerThenTooLarge() {
        assertTooLarge(gzip(TEXT), TEXT.length - 1);
    }

    /** 1 GB of zeros in 1 MB. */
    @Test
    void decodeWhenABombThenStopsAtTheLimit() {
        byte[] bomb = gzip(1024, new byte[1 << 20]);
        CountingInflater inflater = new CountingInflater();

        assertThatExceptionOfType(UnusableBodyException.class)
                .isThrownBy(() -> GzipBody.decode(bomb, 100_000, inflater))
                .satisfies(e -> assertThat(e.reason()).isEqualTo("body-too-large"));
        assertThat(inflater.written).isEqualTo(100_001);
    }

    @Test
    void decodeWhenMembersFollowThenReturnsAll() {
        byte[] members = concat(gzip(TEXT), gzip(new byte[0]), gzip(TEXT));

        assertThat(GzipBody.decode(members, 2L * TEXT.length)).isEqualTo(concat(TEXT, TEXT));
        assertTooLarge(members, 2 * TEXT.length - 1);
    }

    /** The gzip stream of the JDK overflows the stack. */
    @Test
    void decodeWhenMembersAreManyAndEmptyThenEmpty() {
        byte[] empty = gzip(new byte[0]);
        byte[] members = new byte[100_000 * empty.length];
        for (int i = 0; i < members.length; i++) {
            members[i] = empty[i % empty.length];
        }

        assertThat(GzipBody.decode(members, 0)).isEmpty();
    }

    @Test
    void decodeWhenTruncatedThenMalformed() {
        byte[] gzip = withOptionalFields(gzip(TEXT));
        for (int length = 0; length < gzip.length; length++) {
            assertMalformed(Arrays.copyOf(gzip, length));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\0", "x", "\037", "\037\213\b\0", "twenty-seven bytes and more"})
    void decodeWhenOtherBytesFollowThenMalformed(String garbage) {
        assertMalformed(concat(gzip(TEXT), garbage.getBytes(ISO_8859_1)));
    }

    /** Only time, level and system do not matter. */
    @Test
    void decodeWhenABitIsChangedThenSameOrMalformed() {
        byte[] gzip = gzip(TEXT);
        int same = 0;
        for (int bit = 0; bit < gzip.length * 8; bit++) {
            byte[] changed = gzip.clone();
            changed[bit / 8] ^= (byte) (1 << bit % 8);
            try {
                assertThat(GzipBody.decode(changed, 1000)).isEqualTo(TEXT);
                same++;
            } catch (UnusableBodyException e) {
                assertThat(e.getStatusCode().value()).isIn(400, 413);
            }
        }

        // The flag for texts, and perhaps unused bits after the last block.
        assertThat(same).isBetween(6 * 8 + 1, 6 * 8 + 8);
    }

    @Test
    void decodeWhenHeaderHasFieldsThenTheyAreSkipped() {
        assertThat(GzipBody.decode(withOptionalFields(gzip(TEXT)), 1000)).isEqualTo(TEXT);
    }

    @Test
    void decodeWhenHeaderChecksumIsWrongThenMalformed() {
        byte[] gzip = withOptionalFields(gzip(TEXT));
        gzip[4] ^= 1;

        assertMalformed(gzip);
    }

    @Test
    void decodeWhenAReservedFlagIsSetThenMalformed() {
        for (int flag : new int[] {0x20, 0x40, 0x80}) {
            byte[] gzip = gzip(TEXT);
            gzip[FLAGS] = (byte) flag;
            assertMalformed(gzip);
        }
    }

    @Test
    void decodeWhenZlibThenMalformed() {
        Deflater deflater = new Deflater();
        deflater.setInput(TEXT);
        deflater.finish();
        byte[] zlib = new byte[200];
        int length = deflater.deflate(zlib);
        deflater.end();

        assertMalformed(Arrays.copyOf(zlib, length));
    }

    private static void assertMalformed(byte[] gzip) {
        assertThatExceptionOfType(UnusableBodyException.class)
                .isThrownBy(() -> GzipBody.decode(gzip, 1000))
                .satisfies(e -> assertThat(e.getStatusCode().value()).isEqualTo(400));
    }

    private static void assertTooLarge(byte[] gzip, int maxBytes) {
        assertThatExceptionOfType(UnusableBodyException.class)
                .isThrownBy(() -> GzipBody.decode(gzip, maxBytes))
                .satisfies(e -> assertThat(e.getStatusCode().value()).isEqualTo(413));
    }

    /** Extra field, name, comment and checksum. */
    private static byte[] withOptionalFields(byte[] gzip) {
        byte[] fixed = Arrays.copyOf(gzip, 10);
        fixed[FLAGS] = 2 | 4 | 8 | 16;
        byte[] header = concat(fixed, "\3\0abcname\0comment\0".getBytes(ISO_8859_1));
        CRC32 checksum = new CRC32();
        checksum.update(header);
        byte[] low = {(byte) checksum.getValue(), (byte) (checksum.getValue() >> 8)};
        return concat(header, low, Arrays.copyOfRange(gzip, 10, gzip.length));
    }

    static byte[] gzip(byte[] content) {
        return gzip(1, content);
    }

    private static byte[] gzip(int times, byte[] content) {
        ByteArrayOutputStream gzip = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(gzip)) {
            for (int i = 0; i < times; i++) {
                out.write(content);
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return gzip.toByteArray();
    }

    private static byte[] concat(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    private static final class CountingInflater extends Inflater {

        private long written;

        CountingInflater() {
            super(true);
        }

        @Override
        public void end() {
            written = getBytesWritten();
            super.end();
        }
    }
}
