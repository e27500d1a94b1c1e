package io.credential.spring.autoconfigure.webhook.internal;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.function.Predicate;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;

/** Finds white space around a secret, which the other side most likely does not use. */
final class SurroundingSpace {

    private static final char BYTE_ORDER_MARK = '\ufeff';
    private static final String PEM = "-----BEGIN ";

    private SurroundingSpace() {}

    /**
     * Returns the content of a text file without the line end that follows its last line; wipes the original if it differs.
     * A file of other bytes is a key as it is, also if the last one happens to be a line feed.
     */
    static byte[] withoutLineEnd(byte[] content) {
        int length = content.length;
        if (length > 0 && content[length - 1] == '\n' && isText(content)) {
            length -= length > 1 && content[length - 2] == '\r' ? 2 : 1;
        }
        if (length == content.length) {
            return content;
        }
        byte[] line = Arrays.copyOf(content, length);
        Arrays.fill(content, (byte) 0);
        return line;
    }

    /** Returns whether these bytes are a text that begins or ends with white space. Neither random bytes nor PEM are. */
    static boolean isAround(byte[] secret) {
        return isText(
                secret,
                UTF_8,
                text -> (isSpace(text.charAt(0)) || isSpace(text.charAt(text.length() - 1)))
                        && !text.toString().strip().startsWith(PEM));
    }

    /** Returns whether these bytes are a text in UTF-16 after a byte order mark, as some shells of Windows write it. */
    static boolean isUtf16(byte[] secret) {
        return secret.length > 2
                && ((secret[0] == (byte) 0xff && secret[1] == (byte) 0xfe)
                        || (secret[0] == (byte) 0xfe && secret[1] == (byte) 0xff))
                && isText(secret, UTF_16, text -> true);
    }

    private static boolean isText(byte[] bytes) {
        return isText(bytes, UTF_8, text -> true);
    }

    private static boolean isText(byte[] bytes, Charset charset, Predicate<CharBuffer> condition) {
        CharBuffer text;
        try {
            text = charset.newDecoder().decode(ByteBuffer.wrap(bytes));
        } catch (CharacterCodingException e) {
            return false;
        }
        try {
            return text.hasRemaining()
                    && text.chars().allMatch(c -> isSpace((char) c) || !Character.isISOControl(c))
                    && condition.test(text);
        } finally {
            Arrays.fill(text.array(), '\0');
        }
    }

    private static boolean isSpace(char c) {
        return Character.isWhitespace(c) || Character.isSpaceChar(c) || c == BYTE_ORDER_MARK;
    }
}
