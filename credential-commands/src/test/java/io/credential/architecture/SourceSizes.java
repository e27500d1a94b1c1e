package io.credential.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import org.jspecify.annotations.Nullable;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;

/** Finds what is too large in source files. Records may have any number of components: they are values. */
final class SourceSizes extends TreeScanner<@Nullable Void, CompilationUnitTree> {

    static final int FILE_LINES = 400;
    static final int METHOD_LINES = 40;
    static final int PARAMETERS = 7;

    final Set<String> longFiles = new TreeSet<>();
    final Set<String> longMethods = new TreeSet<>();
    final Set<String> wideConstructors = new TreeSet<>();

    private final SourcePositions positions;
    private final Deque<ClassTree> enclosing = new ArrayDeque<>();

    private SourceSizes(SourcePositions positions) {
        this.positions = positions;
    }

    static SourceSizes of(Collection<Path> files) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask) compiler.getTask(
                    null, manager, null, List.of("-proc:none"), null, manager.getJavaFileObjectsFromPaths(files));
            SourceSizes sizes = new SourceSizes(Trees.instance(task).getSourcePositions());
            for (CompilationUnitTree file : task.parse()) {
                sizes.scan(file, file);
            }
            return sizes;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public @Nullable Void visitCompilationUnit(CompilationUnitTree file, CompilationUnitTree same) {
        if (line(file, positions.getEndPosition(file, file)) > FILE_LINES) {
            String name = Path.of(file.getSourceFile().getName()).getFileName().toString();
            longFiles.add(name.substring(0, name.length() - ".java".length()));
        }
        return super.visitCompilationUnit(file, same);
    }

    @Override
    public @Nullable Void visitClass(ClassTree type, CompilationUnitTree file) {
        enclosing.push(type);
        super.visitClass(type, file);
        enclosing.pop();
        return null;
    }

    @Override
    public @Nullable Void visitMethod(MethodTree method, CompilationUnitTree file) {
        ClassTree type = enclosing.element();
        long first = line(file, positions.getStartPosition(file, method));
        if (line(file, positions.getEndPosition(file, method)) - first >= METHOD_LINES) {
            longMethods.add(type.getSimpleName() + "." + method.getName());
        }
        if (method.getReturnType() == null
                && type.getKind() != Tree.Kind.RECORD
                && method.getParameters().size() > PARAMETERS) {
            wideConstructors.add(type.getSimpleName().toString());
        }
        return super.visitMethod(method, file);
    }

    private static long line(CompilationUnitTree file, long position) {
        LineMap lines = file.getLineMap();
        return lines.getLineNumber(position);
    }
}
