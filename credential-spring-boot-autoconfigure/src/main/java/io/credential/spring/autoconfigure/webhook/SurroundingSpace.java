package io.credential.spring.autoconfigure.webhook;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Arrays;
import java.util.function.Predicate;

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
                text -> (isSpace(text.charAt(0)) || isSpace(text.charAt(text.length() - 1)))
                        && !text.toString().strip().startsWith(PEM));
    }

    private static boolean isText(byte[] bytes) {
        return isText(bytes, text -> true);
    }

    private static boolean isText(byte[] bytes, Predicate<CharBuffer> condition) {
        CharBuffer text;
        try {
            text = UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
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
