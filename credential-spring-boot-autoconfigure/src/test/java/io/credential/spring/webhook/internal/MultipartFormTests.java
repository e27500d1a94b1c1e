package io.credential.spring.webhook.internal;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.spring.webhook.internal.FormParameters.MalformedFormException;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class MultipartFormTests {

    private static final String TYPE = "multipart/form-data; boundary=x";
    private static final String NAME_A = "Content-Disposition: form-data; name=\"a\"\r\n";
    private static final String VALID = "--x\r\n" + NAME_A + "\r\n1\r\n--x--\r\n";

    @Test
    void parseThenReturnsPartsInTheirOrder() throws Exception {
        List<FormPart> parts = parse("--x\r\n" + NAME_A + "\r\n1\r\n--x\r\n"
                + "content-disposition:form-data ; filename=b.json;name=b\r\nContent-Type: application/json\r\n"
                + "Content-Transfer-Encoding: 8BIT\r\n\r\n{\r\n}\r\n--x--");

        assertThat(parts).hasSize(2);
        assertThat(parts.get(0).getName()).isEqualTo("a");
        assertThat(parts.get(0).getSubmittedFileName()).isNull();
        assertThat(parts.get(0).getContentType()).isNull();
        assertThat(parts.get(0).content()).isEqualTo("1".getBytes(UTF_8));
        assertThat(parts.get(1).getName()).isEqualTo("b");
        assertThat(parts.get(1).getSubmittedFileName()).isEqualTo("b.json");
        assertThat(parts.get(1).getContentType()).isEqualTo("application/json");
        assertThat(parts.get(1).getHeader("content-TYPE")).isEqualTo("application/json");
        assertThat(parts.get(1).content()).isEqualTo("{\r\n}".getBytes(UTF_8));
    }

    @Test
    void parseWhenNamesAreNotAsciiThenUtf8() throws Exception {
        byte[] form = "--x\r\nContent-Disposition: form-data; name=\"ä\"; filename=\"ö.txt\"\r\n\r\n\r\n--x--"
                .getBytes(UTF_8);

        FormPart part = MultipartForm.parse(form, TYPE, 1).get(0);

        assertThat(part.getName()).isEqualTo("ä");
        assertThat(part.getSubmittedFileName()).isEqualTo("ö.txt");
        assertThat(part.content()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n--x--",
                "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\r\n--x--"
            })
    void parseWhenAPartIsEmptyThenEmpty(String form) throws Exception {
        assertThat(parse(form))
                .singleElement()
                .satisfies(part -> assertThat(part.content()).isEmpty());
    }

    @Test
    void parseWhenItHasNoPartsThenEmpty() throws Exception {
        assertThat(parse("--x--\r\n")).isEmpty();
    }

    @Test
    void parseWhenContentIsBinaryThenUnchanged() throws Exception {
        byte[] content = new byte[100_000];
        new Random(1).nextBytes(content);
        String form = "--x\r\n" + NAME_A + "\r\n" + new String(content, ISO_8859_1) + "\r\n--x--";

        assertThat(parse(form))
                .singleElement()
                .satisfies(part -> assertThat(part.content()).isEqualTo(content));
    }

    /** What another parser may understand differently. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "--x",
                "--x\r\n",
                "\r\n--x--",
                "preamble\r\n--x--",
                "--x--epilogue",
                "--x--\r\n\r\n",
                "--x --",
                "--y--",
                "--x" + NAME_A + "\r\n1\r\n--x--",
                "--x\n" + NAME_A + "\r\n1\r\n--x--",
                "--x\r\n" + NAME_A + "\r\n1\n--x--",
                "--x\r\n" + NAME_A + "\r\n1\r\n--x",
                "--x\r\n" + NAME_A + "\r\n1\r\n--x-",
                "--x\r\n" + NAME_A + "\r\n1\r\n--xy\r\n--x--",
                "--x\r\n" + NAME_A + "\r\n1\r\n--x \r\n--x--",
                "--x\r\n" + NAME_A,
                "--x\r\n" + NAME_A + NAME_A + "\r\n1\r\n--x--",
                "--x\r\n" + NAME_A + "content-disposition: form-data; name=\"b\"\r\n\r\n1\r\n--x--",
                "--x\r\n" + NAME_A + " folded\r\n\r\n1\r\n--x--",
                "--x\r\n" + NAME_A + "no colon\r\n\r\n1\r\n--x--",
                "--x\r\n" + NAME_A + "Space : 1\r\n\r\n1\r\n--x--",
                "--x\r\n" + NAME_A + "Bare: \r1\r\n\r\n1\r\n--x--",
                "--x\r\n" + NAME_A + "--x: 1\r\n\r\n1\r\n--x--",
                "--x\r\n" + NAME_A + "Content-Transfer-Encoding: base64\r\n\r\nMQ==\r\n--x--",
                "--x\r\n\r\n1\r\n--x--",
                "--x\r\nContent-Type: text/plain\r\n\r\n1\r\n--x--",
                "--x\r\nContent-Disposition: attachment; name=\"a\"\r\n\r\n1\r\n--x--",
                "--x\r\nContent-Disposition: form-data-2; name=\"a\"\r\n\r\n1\r\n--x--",
                "--x\r\nContent-Disposition: form-data\r\n\r\n1\r\n--x--",
                "--x\r\nContent-Disposition: form-data; name=\"\"\r\n\r\n1\r\n--x--",
                "--x\r\nContent-Disposition: form-data; filename=\"a\"\r\n\r\n1\r\n--x--",
                "--x\r\nContent-Disposition: form-data; name=\"a\"; name=\"b\"\r\n\r\n1\r\n--x--",
                "--x\r\nContent-Disposition: form-data; name=\"a\"; filename=\"b\"; filename=\"c\"\r\n\r\n1\r\n--x--",
                "--x\r\nContent-Disposition: form-data; name=\"a\"; filename*=UTF-8''b\r\n\r\n1\r\n--x--",
                "--x\r\nContent-Disposition: form-data; name=\"a\\\"\"\r\n\r\n1\r\n--x--",
                "--x\r\nContent-Disposition: form-data; name=\"a\"b\r\n\r\n1\r\n--x--",
                "--x\r\nContent-Disposition: form-data; name=\"a\"; filename=\"=?none?Q?b?=\"\r\n\r\n1\r\n--x--",
                "--x\r\nContent-Disposition: form-data; name=\"\u00c3\"\r\n\r\n1\r\n--x--"
            })
    void parseWhenAmbiguousThenMalformed(String form) {
        assertMalformed(form, TYPE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "multipart/form-data",
                "multipart/form-data; boundary=",
                "multipart/form-data; boundary=\"\"",
                "multipart/form-data; boundary=x; boundary=y",
                "multipart/form-data; boundary=x; Boundary=x",
                "multipart/form-data; boundary=\"x \"",
                "multipart/form-data; boundary=\"x\r\n\"",
                "multipart/form-data; boundary=x{",
                "multipart/form-data; boundary"
            })
    void parseWhenBoundaryIsInvalidThenMalformed(String type) {
        assertMalformed(VALID, type);
    }

    @Test
    void parseWhenBoundaryIsQuotedThenSame() throws Exception {
        assertThat(MultipartForm.parse(VALID.getBytes(UTF_8), "multipart/form-data; boundary=\"x\"", 1))
                .hasSize(1);
    }

    @Test
    void parseWhenBoundaryIsTooLongThenMalformed() throws Exception {
        String longest = "b".repeat(70);

        assertThat(MultipartForm.parse(
                        VALID.replace("--x", "--" + longest).getBytes(UTF_8),
                        "multipart/form-data; boundary=" + longest,
                        1))
                .hasSize(1);
        assertMalformed(VALID.replace("--x", "--" + longest + "b"), "multipart/form-data; boundary=" + longest + "b");
    }

    @Test
    void parseWhenPartsAreTooManyThenMalformed() throws Exception {
        String part = "--x\r\n" + NAME_A + "\r\n1\r\n";

        assertThat(MultipartForm.parse((part.repeat(3) + "--x--").getBytes(UTF_8), TYPE, 3))
                .hasSize(3);
        assertThatExceptionOfType(MalformedFormException.class)
                .isThrownBy(() -> MultipartForm.parse((part.repeat(4) + "--x--").getBytes(UTF_8), TYPE, 3))
                .withMessageContaining("more than 3 parts");
    }

    @Test
    void parseWhenHeadersAreTooLongThenMalformed() throws Exception {
        String more = "More: " + "m".repeat(2048 - NAME_A.length() - "More: ".length());

        assertThat(parse("--x\r\n" + NAME_A + more + "\r\n\r\n1\r\n--x--")).hasSize(1);
        assertMalformed("--x\r\n" + NAME_A + more + "m\r\n\r\n1\r\n--x--", TYPE);
    }

    @Test
    void parseWhenTruncatedThenMalformed() {
        // The line break at the end is optional.
        for (int length = 0; length < VALID.length() - 2; length++) {
            if (length != VALID.length() - 2) {
                assertMalformed(VALID.substring(0, length), TYPE);
            }
        }
    }

    /** No exception but the one that is declared. */
    @Test
    void parseWhenBytesAreChangedThenPartsOrMalformed() {
        byte[] valid = (VALID.substring(0, VALID.length() - 4)
                        + "\r\nContent-Disposition: form-data; name=b; filename=\"=?UTF-8?Q?c?=\"\r\n\r\n2\r\n--x--")
                .getBytes(UTF_8);
        Random random = new Random(1);
        int malformed = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] changed = Arrays.copyOf(valid, valid.length - random.nextInt(2));
            for (int change = random.nextInt(3); change >= 0; change--) {
                changed[random.nextInt(changed.length)] = valid[random.nextInt(valid.length)];
            }
            try {
                assertThat(MultipartForm.parse(changed, TYPE, 10)).hasSizeLessThan(3);
            } catch (MalformedFormException e) {
                malformed++;
            }
        }

        assertThat(malformed).isBetween(1000, 19_000);
    }

    private static void assertMalformed(String form, String type) {
        assertThatExceptionOfType(MalformedFormException.class)
                .isThrownBy(() -> MultipartForm.parse(form.getBytes(ISO_8859_1), type, 100));
    }

    private static List<FormPart> parse(String form) throws MalformedFormException {
        return MultipartForm.parse(form.getBytes(ISO_8859_1), TYPE, 100);
    }
}
