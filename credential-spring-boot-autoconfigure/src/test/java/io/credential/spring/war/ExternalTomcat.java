package io.credential.spring.war;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

import org.apache.catalina.util.ServerInfo;

import io.credential.testing.Patience;
import io.credential.testing.ReducedClassPath;

/** The Tomcat that Maven has unpacked, in its own JVM, with {@link WarApplication} as {@code /shop}. */
final class ExternalTomcat implements AutoCloseable {

    private static final Set<String> OF_SERVERS = Set.of(
            "tomcat-embed-",
            "jakarta.servlet-api",
            "spring-boot-web-server",
            "spring-boot-tomcat",
            "spring-boot-jetty",
            "jetty-");
    private static final Pattern PORT = Pattern.compile("Starting ProtocolHandler \\[\"http-nio-.*-(\\d+)\"]");
    private static final Pattern STARTED = Pattern.compile("Server startup in ");

    private static final String SERVER = """
            <Server port="-1">
              <Service name="Catalina">
                <Connector port="0" address="127.0.0.1"/>
                <Engine name="Catalina" defaultHost="localhost">
                  <Host name="localhost" appBase="webapps" autoDeploy="false"/>
                </Engine>
              </Service>
            </Server>
            """;

    private final Process process;
    private final Path log;

    private ExternalTomcat(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /** Deploys the application, whose files are in this directory, and returns when it has started or failed. */
    static ExternalTomcat start(Path directory) throws IOException {
        Path home = home();
        Path base = Files.createDirectories(directory.resolve("tomcat"));
        Path configuration = Files.createDirectories(base.resolve("conf"));
        Files.copy(home.resolve("conf/web.xml"), configuration.resolve("web.xml"));
        Files.copy(home.resolve("conf/catalina.properties"), configuration.resolve("catalina.properties"));
        Files.writeString(configuration.resolve("server.xml"), SERVER);
        Files.createDirectories(base.resolve("temp"));
        writeWar(Files.createDirectories(base.resolve("webapps")).resolve("shop.war"), directory);
        Path log = base.resolve("log");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "--enable-native-access=ALL-UNNAMED",
                        "-Dlogging.level.org.apache.coyote.http11.Http11NioProtocol=INFO", // shows the port
                        "-Dcatalina.home=" + home,
                        "-Dcatalina.base=" + base,
                        "-Djava.io.tmpdir=" + base.resolve("temp"),
                        "-cp",
                        home.resolve("bin/bootstrap.jar")
                                + System.getProperty("path.separator")
                                + home.resolve("bin/tomcat-juli.jar"),
                        "org.apache.catalina.startup.Bootstrap",
                        "start")
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        ExternalTomcat tomcat = new ExternalTomcat(process, log);
        Patience.until(() -> !process.isAlive() || STARTED.matcher(tomcat.log()).find());
        return tomcat;
    }

    private static Path home() {
        String version = ServerInfo.getServerNumber().replaceFirst("\\.0$", "");
        Path home = Path.of("target", "tomcat", "apache-tomcat-" + version).toAbsolutePath();
        if (!Files.isDirectory(home)) {
            throw new IllegalStateException(home
                    + " is missing; set tomcat.version in the parent pom to the version of Spring Boot, and run"
                    + " mvn generate-test-resources");
        }
        return home;
    }

    private static void writeWar(Path war, Path directory) throws IOException {
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(war))) {
            out.setLevel(Deflater.NO_COMPRESSION);
            put(out, "WEB-INF/web.xml", webXml(WarApplication.parameters(directory)));
            for (Path entry : ReducedClassPath.entries(ApplicationLibraries.absent(OF_SERVERS))
                    .filter(Files::exists)
                    .toList()) {
                if (!Files.isDirectory(entry)) {
                    out.putNextEntry(new ZipEntry("WEB-INF/lib/" + entry.getFileName()));
                    Files.copy(entry, out);
                } else if (entry.endsWith("classes")) {
                    put(out, "WEB-INF/lib/" + entry.getParent().getParent().getFileName() + ".jar", jar(entry));
                } else if (Files.isDirectory(entry.resolve("io/credential/spring/war"))) {
                    putAll(out, "WEB-INF/classes/", entry, entry.resolve("io/credential/spring/war"));
                }
            }
        }
    }

    /** Of a module that this build has not packaged: several have files of the same name, such as their license. */
    private static byte[] jar(Path classes) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream out = new ZipOutputStream(bytes)) {
            putAll(out, "", classes, classes);
        }
        return bytes.toByteArray();
    }

    private static void putAll(ZipOutputStream out, String prefix, Path root, Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                put(out, prefix + root.relativize(file).toString().replace('\\', '/'), Files.readAllBytes(file));
            }
        }
    }

    private static void put(ZipOutputStream out, String name, byte[] content) throws IOException {
        out.putNextEntry(new ZipEntry(name));
        out.write(content);
    }

    private static void put(ZipOutputStream out, String name, String content) throws IOException {
        put(out, name, content.getBytes(StandardCharsets.UTF_8));
    }

    private static String webXml(Map<String, String> parameters) {
        StringBuilder xml =
                new StringBuilder("<web-app xmlns=\"https://jakarta.ee/xml/ns/jakartaee\" version=\"6.1\">");
        parameters.forEach((name, value) -> xml.append("<context-param><param-name>")
                .append(name)
                .append("</param-name><param-value>")
                .append(value)
                .append("</param-value></context-param>"));
        return xml.append("</web-app>").toString();
    }

    String root() throws IOException {
        Matcher port = PORT.matcher(log());
        if (!port.find()) {
            throw new IllegalStateException(log());
        }
        return "http://127.0.0.1:" + port.group(1);
    }

    String log() throws IOException {
        return Files.readString(log);
    }

    @Override
    public void close() {
        process.destroy();
        Patience.exitValue(process);
    }
}
