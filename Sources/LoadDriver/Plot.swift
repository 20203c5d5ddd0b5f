import Glibc

/// A line chart, drawn as SVG. Colours and fonts are the page's.
struct Plot {
  /// How numbers are laid out along an axis.
  enum Scale {
    case linear
    case logarithmic
    /// Percentiles, each further nine as wide as the one before.
    case percentile
  }

  /// One line.
  struct Series {
    var name: String
    /// Which of the page's colours.
    var color: Int
    var isDashed = false
    var points: [(x: Double, y: Double)]
  }

  var title: String
  var xLabel: String
  var xScale = Scale.linear
  var yScale = Scale.linear
  var series: [Series]
  /// Where something happened from outside.
  var marks: [(x: Double, text: String)] = []
  /// A stretch that is not measured.
  var shade: ClosedRange<Double>?
  var xText: (Double) -> String
  var yText: (Double) -> String

  private static let width = 860.0
  private static let height = 320.0
  private static let left = 74.0
  private static let right = 14.0
  private static let top = 14.0
  private static let bottom = 46.0

  /// The chart with its title and legend; a sentence where there is nothing to draw.
  func figure() -> String {
    let drawn = series.filter { !$0.points.isEmpty }
    guard !drawn.isEmpty else {
      return "<figure><figcaption>\(HTML.text(title))</figcaption>"
        + "<p>Nothing to draw.</p></figure>\n"
    }
    let axes = Axes(self, drawn)
    let legend = drawn.map { line in
      let dash = line.isDashed ? " class=\"dashed\"" : ""
      return "<li\(dash)><i class=\"c\(line.color % 8)\"></i>\(HTML.text(line.name))</li>"
    }
    var svg = "<svg viewBox=\"0 0 \(Int(Plot.width)) \(Int(Plot.height))\" role=\"img\""
    svg += " aria-label=\"\(HTML.text(title))\">\n"
    svg += shading(axes) + grid(axes)
    for line in drawn { svg += path(line, axes) }
    svg += markers(axes) + "</svg>\n"
    return "<figure><figcaption>\(HTML.text(title))</figcaption>\n\(svg)"
      + "<ul class=\"legend\">\(legend.joined())</ul></figure>\n"
  }

  private func path(_ line: Series, _ axes: Axes) -> String {
    let points = line.points.map { point in
      "\(Plot.number(axes.x(point.x))),\(Plot.number(axes.y(point.y)))"
    }
    let kind = "c\(line.color % 8)\(line.isDashed ? " dashed" : "")"
    if points.count == 1 {
      let point = line.points[0]
      return "<circle class=\"\(kind)\" cx=\"\(Plot.number(axes.x(point.x)))\" "
        + "cy=\"\(Plot.number(axes.y(point.y)))\" r=\"3\"/>\n"
    }
    return "<polyline class=\"\(kind)\" points=\"\(points.joined(separator: " "))\"><title>"
      + "\(HTML.text(line.name))</title></polyline>\n"
  }

  private func shading(_ axes: Axes) -> String {
    guard let shade else { return "" }
    let x = axes.x(shade.lowerBound)
    let width = axes.x(shade.upperBound) - x
    return "<rect class=\"shade\" x=\"\(Plot.number(x))\" y=\"\(Plot.number(Plot.top))\" "
      + "width=\"\(Plot.number(max(0, width)))\" "
      + "height=\"\(Plot.number(Plot.height - Plot.top - Plot.bottom))\"/>\n"
  }

  private func markers(_ axes: Axes) -> String {
    marks.map { mark in
      let x = Plot.number(axes.x(mark.x))
      return "<line class=\"mark\" x1=\"\(x)\" x2=\"\(x)\" y1=\"\(Plot.number(Plot.top))\" "
        + "y2=\"\(Plot.number(Plot.height - Plot.bottom))\"/>"
        + "<text class=\"mark\" x=\"\(x)\" dx=\"5\" y=\"\(Plot.number(Plot.top + 12))\">"
        + "\(HTML.text(mark.text))</text>\n"
    }.joined()
  }

  private func grid(_ axes: Axes) -> String {
    let floor = Plot.height - Plot.bottom
    var svg = ""
    for tick in axes.yTicks {
      let y = Plot.number(axes.y(tick))
      svg += "<line class=\"grid\" x1=\"\(Plot.number(Plot.left))\" "
      svg += "x2=\"\(Plot.number(Plot.width - Plot.right))\" y1=\"\(y)\" y2=\"\(y)\"/>"
      svg += "<text class=\"y\" x=\"\(Plot.number(Plot.left - 8))\" y=\"\(y)\" dy=\"4\">"
      svg += "\(HTML.text(yText(tick)))</text>\n"
    }
    for tick in axes.xTicks {
      let x = Plot.number(axes.x(tick))
      svg += "<line class=\"grid\" x1=\"\(x)\" x2=\"\(x)\" y1=\"\(Plot.number(Plot.top))\" "
      svg += "y2=\"\(Plot.number(floor))\"/>"
      svg += "<text class=\"x\" x=\"\(x)\" y=\"\(Plot.number(floor + 17))\">"
      svg += "\(HTML.text(xText(tick)))</text>\n"
    }
    let middle = Plot.number((Plot.left + Plot.width - Plot.right) / 2)
    return svg + "<text class=\"x label\" x=\"\(middle)\" y=\"\(Plot.number(floor + 37))\">"
      + "\(HTML.text(xLabel))</text>\n"
  }

  fileprivate static func number(_ value: Double) -> String {
    let tenths = (value * 10).rounded() / 10
    return NumberText.plain(tenths)
  }

  /// From values to places on the paper.
  struct Axes {
    let xTicks: [Double]
    let yTicks: [Double]
    private let plot: Plot
    private let xs: ClosedRange<Double>
    private let ys: ClosedRange<Double>

    init(_ plot: Plot, _ series: [Series]) {
      self.plot = plot
      let points = series.flatMap(\.points)
      let (x, y) = (points.map(\.x), points.map(\.y))
      let most = Axes.position(y.max() ?? 1, plot.yScale)
      switch plot.yScale {
      case .logarithmic:
        let least = Axes.position(y.min() ?? 1, .logarithmic).rounded(.down)
        ys = least...max(least + 1, most + 0.05)
        let decades = Int(ys.lowerBound)...Int(ys.upperBound.rounded(.down))
        let steps = ys.upperBound - ys.lowerBound > 2.2 ? [1.0] : [1, 2, 5]
        let ticks = decades.flatMap { decade in steps.map { $0 * pow(10, Double(decade)) } }
        yTicks = ticks.filter { log10($0) <= most + 0.05 }
      case .linear, .percentile:
        yTicks = Axes.evenTicks(0, max(most, 1e-9), 6)
        ys = 0...max(most * 1.05, yTicks.last ?? 1)
      }
      switch plot.xScale {
      case .percentile:
        let end = Axes.position(x.max() ?? 0, .percentile)
        xs = 0...max(1, end)
        let nines = [0, 50, 90, 99, 99.9, 99.99, 99.999, 99.9999, 99.99999]
        xTicks = nines.filter { Axes.position($0, .percentile) <= max(1, end) }
      case .linear, .logarithmic:
        let least = min(0, x.min() ?? 0)
        xs = least...max(least + 1e-9, x.max() ?? 1)
        xTicks = Axes.evenTicks(least, xs.upperBound, 10)
      }
    }

    func x(_ value: Double) -> Double {
      let share = (Axes.position(value, plot.xScale) - xs.lowerBound) / width(xs)
      return Plot.left + min(max(share, 0), 1) * (Plot.width - Plot.left - Plot.right)
    }

    func y(_ value: Double) -> Double {
      let share = (Axes.position(value, plot.yScale) - ys.lowerBound) / width(ys)
      let height = Plot.height - Plot.top - Plot.bottom
      return Plot.top + (1 - min(max(share, 0), 1)) * height
    }

    private func width(_ range: ClosedRange<Double>) -> Double {
      range.upperBound - range.lowerBound
    }

    /// Where a value is along an axis of this scale.
    private static func position(_ value: Double, _ scale: Scale) -> Double {
      switch scale {
      case .linear: value
      case .logarithmic: log10(max(value, 1e-9))
      case .percentile: -log10(max(1 - value / 100, 1e-9))
      }
    }

    /// Round numbers from one end to the other, at most so many.
    private static func evenTicks(_ from: Double, _ to: Double, _ most: Int) -> [Double] {
      let rough = (to - from) / Double(most)
      guard rough > 0 else { return [from] }
      let decade = pow(10, log10(rough).rounded(.down))
      let step = [1, 2, 5, 10].map { $0 * decade }.first { $0 >= rough * 0.999 } ?? rough
      let first = (from / step).rounded(.up)
      let last = (to / step * 1.000_001).rounded(.down)
      guard first <= last else { return [from] }
      return stride(from: first, through: last, by: 1).map { $0 * step }
    }
  }
}

/// Text that is safe between tags and in attributes.
enum HTML {
  static func text(_ text: String) -> String {
    var safe = ""
    for character in text {
      switch character {
      case "&": safe += "&amp;"
      case "<": safe += "&lt;"
      case ">": safe += "&gt;"
      case "\"": safe += "&quot;"
      default: safe.append(character)
      }
    }
    return safe
  }
}
